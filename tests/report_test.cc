// Result files are read strictly, and charts put every number in its place.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>

#include "nrs/error.h"
#include "property.h"
#include "report/charts.h"
#include "report/page.h"
#include "report/results.h"
#include "report/svg.h"
#include "report/systems.h"
#include "temporary.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::json;

Json good_evaluation() {
  return Json::parse(
      R"({"model": "m", "engine": "fastnrs", "model_checksum": "crc32:1", "program": "nrs 0.1.0",
    "command": "nrs eval", "seconds": 0.5, "threads": 2, "seed": 7, "interrupted": false,
    "recipe": {"name": "m", "seed": 1, "protocol": "paper", "domains": ["d"], "program": "nrs 0.1.0"},
    "levels": [{"domain": "d", "nesting": 1, "formulas": 10, "correct": 8, "answered": 9,
                "missing": 0, "malformed": 1, "solver": 1, "other": 0}]})");
}

ResultFile read(const Json& json) {
  return read_result("eval", json, "e.json", "e.json");
}

// The whole message; empty if nothing was thrown.
std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_NE(error.kind(), ErrorKind::kIo);
    return error.what();
  }
  return "";
}

std::string complaint_of(const char* pointer, const Json& value) {
  Json json = good_evaluation();
  json[Json::json_pointer(pointer)] = value;
  const Json as_in_a_file = Json::parse(json.dump());
  return complaint([&] { read(as_in_a_file); });
}

TEST(ResultFiles, AnEvaluationIsReadWhole) {
  const ResultFile evaluation = read(good_evaluation());
  EXPECT_EQ(evaluation.source.recipe, "m");
  EXPECT_EQ(evaluation.source.checksum, "crc32:1");
  EXPECT_EQ(evaluation.source.seed, 7u);
  EXPECT_EQ(evaluation.source.domains, std::vector<std::string>{"d"});
  const Json& levels = evaluation.data.at("levels");
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(counts_of(levels[0]).correct, 8u);
  EXPECT_EQ(counts_of(levels[0]).errors[1], 1u);
}

TEST(ResultFiles, EveryFaultNamesItsFileAndField) {
  EXPECT_EQ(complaint_of("/levels/0/correct", "8"),
            "e.json: levels[0].correct: must be a whole number, not negative");
  EXPECT_EQ(complaint_of("/levels/0/correct", -1),
            "e.json: levels[0].correct: must be a whole number, not negative");
  EXPECT_EQ(complaint_of("/levels/0/correct", 10),
            "e.json: levels[0].correct: is more than \"answered\"");
  EXPECT_EQ(complaint_of("/levels/0/solver", 5),
            "e.json: levels[0].formulas: is not the sum of \"correct\" and the classes of errors");
  EXPECT_EQ(complaint_of("/levels", 3), "e.json: levels: must be a list");
  EXPECT_EQ(complaint_of("/levels/0", 3), "e.json: levels[0]: must be an object");
  EXPECT_EQ(complaint_of("/recipe/domains/0", 3), "e.json: recipe.domains[0]: must be a text");
  EXPECT_EQ(complaint_of("/seconds", nullptr), "e.json: seconds: must be a number");
  EXPECT_EQ(complaint_of("/model_checksum", nullptr), "e.json: model_checksum: is missing");
  EXPECT_NE(complaint_of("/interrupted", true), "");
  Json json = good_evaluation();
  json.erase("command");
  EXPECT_EQ(complaint([&] { read(json); }), "e.json: command: is missing");
}

TEST(ResultFiles, ATraceMustFitItsFormula) {
  const auto read_with = [](std::size_t begin, std::size_t end) {
    Json json = {{"command", "c"}, {"program", "p"}};
    const Json step = {{"begin", begin}, {"end", end}, {"value", "3"}, {"applied", true}};
    json["derivation"]["trace"] = Json::array({{{"formula", "(1+2)"}, {"steps", {step}}}});
    return complaint([&] { read_result("traces", json, "t.json", "t.json"); });
  };
  EXPECT_EQ(read_with(0, 5), "");
  EXPECT_NE(read_with(0, 6), "");
  EXPECT_NE(read_with(3, 3), "");
  EXPECT_NE(read_with(5, 4), "");
}

TEST(ResultFiles, ColumnsOfConfidenceAreEquallyLong) {
  const auto read_with = [](std::vector<double> confidence) {
    Json json = {{"command", "c"}, {"program", "p"}, {"threshold", -1}};
    json["domains"]["d"] = {
        {"selector", {{"characters", {5, 9}}, {"formulas", {1, 2}}, {"confidence", confidence}}},
        {"solver", {{"leaves", 1}, {"unsure", 0}, {"least_log_prob", -1}, {"counts", {1}}}}};
    const Json as_in_a_file = Json::parse(json.dump());
    return complaint([&] { read_result("confidence", as_in_a_file, "c.json", "c.json"); });
  };
  EXPECT_EQ(read_with({1, 0.5}), "");
  EXPECT_EQ(read_with({1}),
            "c.json: domains.d.selector.confidence: must be as long as \"characters\"");
  EXPECT_EQ(read_with({1, 2}),
            "c.json: domains.d.selector.confidence[1]: must be a number from 0 to 1");
}

class ResultFolder : public TemporaryFolder {};

TEST_F(ResultFolder, AFolderThatIsNoneIsAnErrorOfUsage) {
  EXPECT_NE(complaint([&] { load_results(folder / "nowhere"); }).find("published.json"),
            std::string::npos);
}

TEST_F(ResultFolder, BrokenFilesAreNamed) {
  for (const char* text : {"", "{", "[]", "{\"paper\": 1}", "{\"a\":1,\"a\":2}", "\xff"}) {
    write("published.json", text);
    EXPECT_NE(complaint([&] { load_results(folder); }).find("published.json"), std::string::npos)
        << text;
  }
}

PublishedDomain domain_d() {
  return {.name = "d", .title = "D"};
}

TEST(Systems, FilesOfOneModelAreTakenTogetherButNoLevelTwice) {
  ResultFile first = read(good_evaluation()), second = first;
  second.source.file = "f.json";
  second.data["levels"][0]["nesting"] = 8;
  const auto scored = scored_models({first, second}, domain_d(), /*multi=*/false);
  ASSERT_EQ(scored.size(), 1u);
  EXPECT_EQ(scored[0].levels.size(), 2u);
  EXPECT_EQ(scored[0].total(6).formulas, 10u);
  EXPECT_EQ(scored[0].label, "FastNRS, paper data");
  EXPECT_TRUE(scored_models({first}, domain_d(), /*multi=*/true).empty());
  second.data["levels"][0]["nesting"] = 1;
  EXPECT_NE(complaint([&] {
              scored_models({first, second}, domain_d(), false);
            }).find("f.json"),
            std::string::npos);
}

TEST(Svg, NumbersAreShownAsPeopleWriteThem) {
  EXPECT_EQ(show_number(1234567), "1,234,567");
  EXPECT_EQ(show_number(-1000), "-1,000");
  EXPECT_EQ(show_number(0.05), "0.05");
  EXPECT_EQ(show_number(100), "100");
  EXPECT_EQ(show_number(-0.0005), "-0.0005");
  EXPECT_EQ(show_number(-0.0), "0");
  EXPECT_EQ(show_share(1), "100 %");
  EXPECT_EQ(show_share(0.99999), "99.99 %");
  EXPECT_EQ(show_share(0.51), "51 %");
}

TEST(Svg, TextsCannotBreakOut) {
  EXPECT_EQ(escape_xml("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;'");
  EXPECT_EQ(escape_xml(std::string_view("a\0\x01"
                                        "b",
                                        4)),
            "ab");
  EXPECT_EQ(escape_xml("\xff"), "\xEF\xBF\xBD");
  check_law("nothing is left to break out", [](const std::string& text) {
    RC_ASSERT(escape_xml(text).find_first_of("<>\"") == std::string::npos);
  });
}

TEST(Scale, TicksAreRoundAndWithin) {
  EXPECT_EQ(Scale(0, 1, 0, 100).ticks(5),
            (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(Scale(1, 1000, 0, 1, true).ticks(5), (std::vector<double>{1, 10, 100, 1000}));
  EXPECT_EQ(Scale(0, 10, 100, 0).at(5), 50);
  EXPECT_EQ(Scale(0, 10, 0, 1).at(99), 1);
  EXPECT_EQ(round_up(0.3), 0.5);
  EXPECT_EQ(round_up(1000), 1000);
}

// The numbers of an attribute, in the order of the elements of a class.
std::vector<double> numbers(const std::string& svg, const std::string& kind,
                            const std::string& attribute) {
  std::vector<double> all;
  const std::regex element("<[a-z]+ class=\"" + kind + "\"[^>]* " + attribute + "=\"([-0-9.]+)\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), element), end; it != end; ++it) {
    all.push_back(std::stod((*it)[1]));
  }
  return all;
}

TEST(Charts, ALinePassesThroughItsNumbers) {
  const std::string svg =
      draw(LineChart{.id = "i",
                     .title = "t",
                     .x_label = "n",
                     .x_ticks = {1, 2, 3},
                     .lines = {{.label = "a", .points = {{1, 1}, {2, 0.5}, {3, 0}}}}});
  const std::vector<double> x = numbers(svg, "dot c0", "cx"), y = numbers(svg, "dot c0", "cy");
  ASSERT_EQ(y.size(), 3u);
  EXPECT_NEAR(y[1], (y[0] + y[2]) / 2, 0.02);
  EXPECT_LT(y[0], y[2]);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.02);
  EXPECT_NE(svg.find("<title>a, n 2: 50 %</title>"), std::string::npos);
}

TEST(Charts, OnALogarithmicScaleZeroIsTheBottomAndWhatNeverLeavesItIsNamed) {
  LineChart chart{.id = "i", .title = "t", .log_y = true, .flat = "no error", .x_ticks = {1, 2, 3}};
  chart.lines = {{.label = "a", .points = {{1, 0.1}, {2, 0.01}, {3, 0}}},
                 {.label = "b", .colour = 1, .points = {{1, 0}, {2, 0}, {3, 0}}}};
  const std::string svg = draw(chart);
  const std::vector<double> y = numbers(svg, "dot c0", "cy");
  ASSERT_EQ(y.size(), 3u);
  EXPECT_LT(y[0], y[1]);
  EXPECT_EQ(y[2], numbers(svg, "axis", "y1").back());
  EXPECT_TRUE(numbers(svg, "dot c1", "cy").empty());
  EXPECT_NE(svg.find(">no error: b</text>"), std::string::npos);
  chart.lines.erase(chart.lines.begin());
  EXPECT_EQ(draw(chart).find("axis"), std::string::npos);
  chart.lines = {{.label = "a", .points = {{1, 1e-5}, {2, 1}}}};
  EXPECT_EQ(draw(chart).find("no error"), std::string::npos);
}

TEST(Charts, LabelsOfLinesThatEndTogetherDoNotOverlap) {
  LineChart chart{.id = "i", .x_ticks = {1, 2}};
  for (int i = 0; i < 6; ++i) chart.lines.push_back({.label = "l", .points = {{1, 1}, {2, 0}}});
  std::vector<double> y = numbers(draw(chart), "series c0", "y");
  ASSERT_EQ(y.size(), 6u);
  std::ranges::sort(y);
  for (std::size_t i = 1; i < y.size(); ++i) EXPECT_GE(y[i] - y[i - 1], 13.9);
  EXPECT_LT(y.back(), 240);
}

TEST(Charts, BarsAreStackedAndNothingIsInvisible) {
  const std::string svg = draw(
      BarChart{.id = "i",
               .to = 1,
               .bars = {{.label = "b", .parts = {{0.25, 0, "p"}, {0, 1, "none"}, {0.5, 2, "q"}}},
                        {.label = "c", .parts = {{1e-6, 3, "r"}}}}});
  EXPECT_NEAR(numbers(svg, "bar c2", "width").at(0), 2 * numbers(svg, "bar c0", "width").at(0),
              0.02);
  EXPECT_NEAR(numbers(svg, "bar c2", "x").at(0),
              numbers(svg, "bar c0", "x").at(0) + numbers(svg, "bar c0", "width").at(0), 0.02);
  EXPECT_TRUE(numbers(svg, "bar c1", "width").empty());
  EXPECT_GE(numbers(svg, "bar c3", "width").at(0), 1);
}

TEST(Charts, AHistogramIsLogarithmic) {
  const std::string svg =
      draw(Histogram{.id = "i", .from = -2, .to = 0, .counts = {1, 0, 10, 100}, .mark = -1});
  const std::vector<double> height = numbers(svg, "bar c0", "height");
  ASSERT_EQ(height.size(), 3u);
  EXPECT_NEAR(height[2] - height[1], height[1] - height[0], 0.03);
  EXPECT_EQ(numbers(svg, "mark", "x1").size(), 1u);
}

TEST(Charts, EmptyOnesAreDrawnToo) {
  EXPECT_NE(draw(LineChart{.id = "i"}).find("</svg>"), std::string::npos);
  EXPECT_NE(draw(BarChart{.id = "i"}).find("</svg>"), std::string::npos);
  EXPECT_NE(draw(Histogram{.id = "i"}).find("</svg>"), std::string::npos);
}

TEST(Page, TablesAreTheSameInEveryFormat) {
  const Table table{
      .id = "t", .caption = "A | B", .header = {"x", "y"}, .rows = {{{"a<b"}, {"1,5"}}}};
  EXPECT_EQ(to_csv(table), "x,y\na<b,\"1,5\"\n");
  const Page page{.title = "T", .sections = {{.id = "s", .title = "S", .blocks = {table}}}};
  EXPECT_NE(to_markdown(page).find("| a&lt;b | 1,5 |\n"), std::string::npos);
  EXPECT_NE(to_html(page).find("<th scope=\"row\">a&lt;b</th><td>1,5</td>"), std::string::npos);
}

TEST(Page, ADerivationMarksLeavesAndTheValuesThatCame) {
  const WorkedDerivation derivation{.id = "d",
                                    .rounds = {{"((1+2)*(3+(4*5)))", {{1, 6, "3"}, {10, 15, "20"}}},
                                               {"(3*(3+20))", {{3, 9, "23"}}},
                                               {"(3*23)", {{0, 6, "69"}}},
                                               {"69", {}}}};
  const std::string html =
      to_html({.title = "T", .sections = {{.id = "s", .title = "S", .blocks = {derivation}}}});
  EXPECT_NE(
      html.find(
          "(<mark title=\"becomes 3\">(1+2)</mark>*(3+<mark title=\"becomes 20\">(4*5)</mark>))"),
      std::string::npos);
  EXPECT_NE(html.find("(<mark class=\"value\">3</mark>*<mark title=\"becomes 23\">(3+20)</mark>)"),
            std::string::npos);
  EXPECT_NE(html.find("<code><mark class=\"value\">69</mark></code>"), std::string::npos);
}

}  // namespace
}  // namespace nrs::lab

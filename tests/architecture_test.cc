// Architectures: those that the program has, and a toy that is added from outside. The code of the
// toys is what docs/extending.md shows; docs_test.py compares the two.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "architectures/architecture.h"
#include "base/rng.h"
#include "cli/console.h"
#include "cli/options.h"
#include "model/json_config.h"
#include "nrs/error.h"
#include "nrs/nrs.h"
#include "random_model.h"
#include "random_router.h"
#include "rewrite/oracle.h"
#include "service/answerer.h"
#include "temporary.h"

namespace nrs::architectures {
namespace {

// A rule of two texts: the first occurrence of `from` becomes `to`, until there is none.
class ToyRewriter final : public Rewriter {
 public:
  ToyRewriter(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}

  std::vector<Result> run(std::span<const std::string_view> formulas,
                          const RunOptions& options) const override {
    std::vector<Result> results;
    for (const std::string_view formula : formulas) {
      Result& result = results.emplace_back();
      result.formula = formula;
      const std::size_t most = options.max_steps.value_or(formula.size() + 64);
      std::size_t at = result.formula.find(from_);
      for (; at != std::string::npos && result.steps < most; at = result.formula.find(from_)) {
        const Step step{{at, at + from_.size()}, to_};
        result.formula.replace(at, from_.size(), to_);
        ++result.steps;
        ++result.rounds;
        if (options.keep_rounds) {
          result.record.push_back(
              {{.step = step, .applied = true, .origin = {ValueSource::kRule, "toy"}}});
        }
      }
      result.stop = at == std::string::npos ? Stop::kFinal : Stop::kStepLimit;
    }
    return results;
  }

 private:
  std::string from_, to_;
};

class ToyArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return "toy"; }
  std::string_view purpose() const override { return "replace one text by another"; }
  bool verifiable() const override { return false; }

  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& /*options*/) const override {
    const nlohmann::json fields = model::parse_json(model.module("rule").fields, "rule");
    const std::string from = fields.value("from", "");
    if (from.empty()) throw Error(ErrorKind::kInput, "rule.from: must not be empty");
    return std::make_unique<ToyRewriter>(from, fields.value("to", ""));
  }

  nlohmann::ordered_json describe(const model::Model& model) const override {
    return {{"rule", nlohmann::ordered_json::parse(model.module("rule").fields)}};
  }
  std::vector<InfoLine> summary(const model::Model& model) const override {
    return {{"rule", model.module("rule").fields}};
  }
};

model::Model toy_model(const std::string& from, const std::string& to) {
  model::Model model;
  model.name = "toy";
  model.architecture = "toy";
  model.modules["rule"] = {.fields = nlohmann::json{{"from", from}, {"to", to}}.dump()};
  return model;
}

class Toy : public TemporaryFolder {
 protected:
  static void SetUpTestSuite() {
    static const ToyArchitecture architecture;
    register_architecture(architecture);
  }
};

TEST_F(Toy, IsSavedLoadedAndRun) {
  model::save_model(folder / "toy.nrs", toy_model("ba", "ab"));
  const model::Model loaded = model::load_model(folder / "toy.nrs");
  EXPECT_EQ(loaded.modules, toy_model("ba", "ab").modules);
  EXPECT_EQ(architecture_of(loaded).name(), "toy");
  EXPECT_EQ(architecture_of(loaded).describe(loaded)["rule"]["to"], "ab");
  const Result result = RunningModel(loaded).rewriter().rewrite("cbab", {.keep_rounds = true});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.formula, "cabb");
  ASSERT_EQ(result.record.size(), 1U);
  EXPECT_EQ(result.record[0][0].origin.rule, "toy");
}

TEST_F(Toy, IsServedAsJsonWithAnErrorForEachBadFormula) {
  const service::Answerer answerer(RunningModel(toy_model("aa", "a")),
                                   {.run = {.keep_rounds = true}});
  std::vector<service::Answer> answers{{.text = "baab"}, {.text = ""}};
  const std::string lines =
      answerer.answer(answers, 2, [](const service::Answer& answer, std::string& text) {
        text += service::to_json(answer, {.trace = true});
      });
  const auto first = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(first["result"], "bab");
  EXPECT_EQ(first["trace"][0]["steps"][0]["source"], "rule");
  EXPECT_EQ(first["trace"][0]["steps"][0]["rule"], "toy");
  EXPECT_TRUE(answers[0].ok());
  ASSERT_TRUE(answers[1].error);
  EXPECT_NE(lines.find("the formula is empty"), std::string::npos);
}

TEST_F(Toy, RunsInTheLibrary) {
  model::save_model(folder / "toy.nrs", toy_model("aa", "a"));
  const Simplifier simplifier(folder / "toy.nrs", {.steps = true});
  const std::vector<std::string> formulas{"aab", "", "b"};
  const std::vector<Answer> answers = simplifier.simplify_each(formulas);
  EXPECT_EQ(answers[0].formula, "ab");
  EXPECT_EQ(answers[0].steps.at(0).origin.source, ValueSource::kRule);
  EXPECT_TRUE(answers[1].error);
  EXPECT_FALSE(answers[1].ok());
  EXPECT_TRUE(answers[2].ok());
  EXPECT_THROW(simplifier.simplify(formulas), Error);
}

TEST_F(Toy, OfUnsoundFieldsIsRefused) {
  EXPECT_THROW(RunningModel(toy_model("", "a")), Error);
  model::Model model = toy_model("a", "b");
  model.modules.clear();
  EXPECT_THROW(model::serialise_model(model), Error);
}

TEST(Architectures, OneThatTheProgramDoesNotHaveIsNamed) {
  model::Model model = toy_model("a", "b");
  model.architecture = "abacus";
  try {
    RunningModel{model};
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.line().find("'abacus'"), std::string::npos);
    EXPECT_NE(error.line().find("fastnrs"), std::string::npos);
  }
}

TEST(Architectures, TheFirstThreeAreToldByTheirModules) {
  nn::SelectorConfig small;
  small.encoder = {.dim = 8, .heads = 2, .positions = nn::Positions::kNone};
  model::Model model;
  model.modules["selector"] = model::to_module(random_selector(small, "01", 1));
  EXPECT_EQ(architecture_of(model).name(), "fastnrs");
  EXPECT_THROW(RunningModel{model}, Error);  // without a Solver
  model.modules["selector"] = model::to_module(random_writer(small, "01", 1));
  EXPECT_EQ(architecture_of(model).name(), "nrs");
  EXPECT_FALSE(architecture_of(model).paper_formulas(model));
  model.modules["router"] = model::to_module(random_router({.dim = 16, .heads = 2}, 1));
  EXPECT_THROW(architecture_of(model), Error);
  model.modules.erase("selector");
  EXPECT_EQ(architecture_of(model).name(), "ndr");
  EXPECT_TRUE(architecture_of(model).paper_formulas(model));
  EXPECT_THROW(RunningModel(model, {.settings = {{"samples", 3}}}), Error);
}

}  // namespace
}  // namespace nrs::architectures

namespace nrs::domains {
namespace {

// Truth values and their negation: !!T is a formula of nesting 2, !T its leaf.
class ToyDomain final : public Domain {
 public:
  std::string_view name() const override { return "not"; }
  std::string_view alphabet() const override { return "!TF"; }
  std::string read(std::string_view text) const override {
    const std::size_t bad = text.find_first_not_of('!');
    if (bad == text.npos || !is_atom(text.substr(bad))) {
      throw Error::at(std::min(bad, text.size()), "expected T or F");
    }
    return std::string(text);
  }
  bool is_atom(std::string_view text) const override { return text == "T" || text == "F"; }
  std::vector<Span> leaves(std::string_view text) const override {
    const std::size_t at = text.find_first_of("TF");
    if (at == text.npos || at == 0) return {};
    return {{at - 1, at + 1}};
  }
  std::optional<std::string> value(std::string_view leaf) const override {
    if (leaf == "!T") return "F";
    if (leaf == "!F") return "T";
    return {};
  }
  std::size_t longest_leaf() const override { return 2; }
  int nesting(std::string_view formula) const override {
    return static_cast<int>(formula.size()) - 1;
  }
  void generate(const Shape& shape, Rng& rng, Sample& sample) const override {
    const bool truth = rng.below(2) == 0;
    sample.formula =
        std::string(static_cast<std::size_t>(shape.nesting), '!') + (truth ? "T" : "F");
    sample.value = truth == (shape.nesting % 2 == 0) ? "T" : "F";
  }
  std::size_t longest_formula(const Shape& shape) const override {
    return static_cast<std::size_t>(shape.nesting) + 1;
  }
  void for_each_leaf(FormulaSpace /*space*/, const Visit& visit) const override {
    visit("!T", "F");
    visit("!F", "T");
  }
  void for_each_atom(const VisitText& visit) const override {
    visit("T");
    visit("F");
  }
  std::optional<std::size_t> listable(const Shape& /*shape*/) const override { return 2; }
};

TEST(ToyDomain, TheOracleBringsEveryFormulaToItsValue) {
  const ToyDomain domain;
  const rewrite::OracleRewriter oracle(domain);
  Sample sample;
  for (int nesting = 0; nesting < 50; ++nesting) {
    Rng rng(3, static_cast<std::uint64_t>(nesting));
    domain.generate({.nesting = nesting}, rng, sample);
    EXPECT_EQ(domain.read(sample.formula), sample.formula);
    EXPECT_EQ(oracle.rewrite(sample.formula).formula, sample.value);
  }
  EXPECT_THROW(domain.read("!x"), Error);
}

}  // namespace
}  // namespace nrs::domains

namespace nrs::cli {
namespace {

// nrs count: how long a formula is.
struct CountOptions {
  std::string formula;
};

int count(const CountOptions& options) {
  return options.formula.size() > 99 ? kNotNormal : kDone;
}

void add_count(CLI::App& app, Action& action) {
  const auto [verb, options] =
      add_verb<CountOptions>(app, action, "count", count, "count the characters of a formula");
  verb->add_option("FORMULA", options->formula, "in quotes")->required();
}

TEST(ToyVerb, IsParsedAndRun) {
  CLI::App app;
  Action action;
  add_count(app, action);
  app.parse("count (1+2)");
  EXPECT_EQ(action(), kDone);
  EXPECT_THROW(app.parse("count"), CLI::RequiredError);
}

struct ShownOptions {
  int count = 7;
  int jobs = 0;  // 0: as many as fit
  std::string out;
};

int count_of(const ShownOptions& options) {
  return options.count;
}

TEST(AddVerb, ShowsValuesAsDefaultsAndKeepsTheOptions) {
  CLI::App app;
  Action action;
  {
    const auto [verb, options] = add_verb<ShownOptions>(app, action, "show", count_of, "shows");
    verb->add_option("--count", options->count);
    verb->add_option("--jobs", options->jobs)->default_str("");
    verb->add_option("--out", options->out);
  }
  const CLI::App* verb = app.get_subcommand("show");
  EXPECT_EQ(verb->get_description(), "shows");
  EXPECT_EQ(verb->get_option("--count")->get_default_str(), "7");
  EXPECT_EQ(verb->get_option("--jobs")->get_default_str(), "");
  EXPECT_EQ(verb->get_option("--out")->get_default_str(), "");
  app.parse("show --count 8");
  EXPECT_EQ(action(), 8);
  EXPECT_THROW(add_verb(app, "no verb of the list"), std::logic_error);
}

}  // namespace
}  // namespace nrs::cli

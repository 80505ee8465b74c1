#include "data/protocol.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "data/csv.h"
#include "temporary.h"

namespace nrs::data {
namespace {

struct Totals {
  std::map<std::pair<Part, Split>, std::size_t> rows;
  std::map<std::pair<Part, Split>, std::set<std::string>> formulas;
  std::vector<DataGroup> groups;  // without their rows
};

Totals totals(const char* domain, Protocol protocol) {
  Totals result;
  make_protocol_data(
      {.domains = {&find_domain(domain)}, .protocol = protocol, .seed = 1, .threads = 2},
      [&](DataGroup&& group) {
        const std::pair key{group.part, group.split};
        result.rows[key] += group.rows.size();
        for (const DataRow& row : group.rows) {
          result.formulas[key].insert(row.example.formula);
        }
        group.rows.clear();
        result.groups.push_back(std::move(group));
      });
  return result;
}

std::size_t common(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::size_t count = 0;
  for (const std::string& text : a) count += b.count(text);
  return count;
}

std::size_t rows(const Totals& t, Part part, Split split) {
  return t.rows.at({part, split});
}

void expect_nothing_shared(const Totals& t) {
  for (auto a = t.formulas.begin(); a != t.formulas.end(); ++a) {
    for (auto b = std::next(a); b != t.formulas.end(); ++b) {
      if (a->first.first != b->first.first) continue;
      EXPECT_EQ(common(a->second, b->second), 0u) << enum_name(a->first.second);
    }
  }
  const auto& test = t.formulas.at({Part::kWhole, Split::kTest});
  EXPECT_EQ(common(test, t.formulas.at({Part::kSolver, Split::kTrain})), 0u);
  EXPECT_EQ(common(test, t.formulas.at({Part::kSelector, Split::kTrain})), 0u);
}

TEST(Protocol, ArithmeticHasThePapersCountsAndNoSharedFormula) {
  const Totals t = totals("arithmetic", Protocol::kPaper);
  EXPECT_EQ(rows(t, Part::kSelector, Split::kTrain), 399218u);
  EXPECT_EQ(rows(t, Part::kSelector, Split::kValidId), 180u);
  EXPECT_EQ(rows(t, Part::kSelector, Split::kValidOod), 120u);  // made of 60 formulas
  EXPECT_EQ(rows(t, Part::kWhole, Split::kTest), 600u);
  EXPECT_EQ(rows(t, Part::kSolver, Split::kTrain), 30510u);
  EXPECT_EQ(rows(t, Part::kSolver, Split::kValidId), 7628u);
  expect_nothing_shared(t);
}

// Logic has few small formulas: what the paper's counts ask for beyond them is left out.
TEST(Protocol, LogicTakesWhatThereIsAndSharesNoFormula) {
  const Totals t = totals("logic", Protocol::kPaper);
  EXPECT_EQ(rows(t, Part::kWhole, Split::kTest), 1110u);
  EXPECT_EQ(rows(t, Part::kSolver, Split::kTrain), 155u);
  EXPECT_EQ(rows(t, Part::kSolver, Split::kValidId), 29u);
  expect_nothing_shared(t);
  std::set<int> depths;
  for (const DataGroup& group : t.groups) {
    if (group.split == Split::kValidOod) depths.insert(group.shape.nesting);
  }
  EXPECT_EQ(depths.size(), 12u);
  EXPECT_EQ(*depths.begin(), 1);
}

TEST(Protocol, FullSolverKnowsEveryLeafAndAtom) {
  Totals t = totals("listops", Protocol::kFull);
  EXPECT_EQ((t.rows[std::pair{Part::kSolver, Split::kTrain}]), 33310u);
  EXPECT_EQ((t.rows[std::pair{Part::kWhole, Split::kTest}]), 600u);
}

class Dataset : public TemporaryFolder {};

// In training each group of difficulty weighs the same.
void expect_equal_groups(CsvReader& reader) {
  const std::size_t nesting = reader.require({"nesting"});
  const std::size_t extra = reader.require({"extra"});
  const std::size_t weight = reader.require({"weight"});
  std::map<std::string, double> sums;
  std::vector<std::string> fields;
  while (reader.next(fields)) sums[fields[nesting] + fields[extra]] += std::stod(fields[weight]);
  EXPECT_EQ(sums.size(), 9u);
  for (const auto& [group, sum] : sums) EXPECT_NEAR(sum, 1, 1e-6) << group;
}

TEST_F(Dataset, FilesHoldWhatTheStatisticsSay) {
  const ProtocolRequest request{.domains = {&find_domain("logic")}, .seed = 3, .threads = 2};
  const DatasetSummary summary = write_dataset(request, folder, [](const DataGroup&) {});
  EXPECT_EQ(summary.shared, 0u);
  EXPECT_EQ(summary.files, 8u);
  const auto stats = nlohmann::json::parse(read_file(folder / "stats.json", 1 << 20));
  EXPECT_GT(stats["domains"]["logic"]["selector"]["train"]["rows"], 130000);
  EXPECT_EQ(stats["domains"]["logic"]["selector"]["train"]["paper"], 238436);

  CsvReader reader(folder / "selector" / "valid_ood.csv");
  const std::size_t formula = reader.require({"X"});
  const std::size_t mask = reader.require({"Y"});
  const std::size_t steps = reader.require({"steps"});
  std::vector<std::string> fields;
  std::size_t count = 0;
  while (reader.next(fields)) {
    ++count;
    ASSERT_EQ(fields[mask].size(), fields[formula].size());
    ASSERT_FALSE(fields[steps].empty());
  }
  EXPECT_EQ(count, stats["domains"]["logic"]["selector"]["valid_ood"]["rows"]);

  CsvReader train(folder / "selector" / "train.csv");
  expect_equal_groups(train);
}

}  // namespace
}  // namespace nrs::data

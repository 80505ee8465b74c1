#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/csv.h"
#include "learn/examples/example_source.h"
#include "learn/examples/solved_source.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

constexpr std::string_view kOmega = "$";

// Rows of one difficulty have the same group; groups are counted from 0 in the order of the file.
using TakeRow = std::function<void(std::string_view formula, std::string_view value, int group)>;

// `value` is the column of that name. Throws Error (input) with file and line; that of an Error
// that `take` throws is added.
void read_rows(const std::filesystem::path& path, std::string_view value, const TakeRow& take) {
  data::CsvReader csv(path);
  const std::size_t formula_at = csv.require({"X"});
  const std::size_t value_at = csv.require({value});
  std::vector<std::size_t> key_columns;
  for (const std::string_view column : {"domain", "nesting", "num_operands", "extra"}) {
    if (const auto at = csv.find(column)) key_columns.push_back(*at);
  }
  std::map<std::string, int> groups;
  std::vector<std::string> fields;
  while (csv.next(fields)) {
    std::string key;
    for (const std::size_t at : key_columns) key += fields[at] + ",";
    const int group = groups.emplace(key, static_cast<int>(groups.size())).first->second;
    try {
      take(fields[formula_at], fields[value_at], group);
    } catch (const Error& error) {
      throw error.in(csv.place());
    }
  }
}

template <class Group>
Group& group_at(std::vector<Group>& groups, int number) {
  const auto at = static_cast<std::size_t>(number);
  if (groups.size() <= at) groups.resize(at + 1);
  return groups[at];
}

std::size_t take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{}) throw Error(ErrorKind::kInput, "a number is missing in its steps");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

void take_character(std::string_view& text, char expected) {
  if (!text.starts_with(expected)) {
    throw Error(ErrorKind::kInput, fmt::format("'{}' is missing in its steps", expected));
  }
  text.remove_prefix(1);
}

// "1-7:20 8-13:-1": every leaf with its value; "0-2:$": final.
data::RewriteExample parse_example(std::string_view formula, std::string_view steps) {
  data::RewriteExample example{.formula = std::string(formula), .steps = {}, .final = false};
  std::size_t end = 0;
  while (!steps.empty()) {
    Step step;
    step.leaf.begin = take_number(steps);
    take_character(steps, '-');
    step.leaf.end = take_number(steps);
    take_character(steps, ':');
    step.value = steps.substr(0, steps.find(' '));
    steps.remove_prefix(std::min(steps.size(), step.value.size() + 1));
    if (step.leaf.begin < end || step.leaf.end <= step.leaf.begin ||
        step.leaf.end > formula.size()) {
      throw Error(ErrorKind::kInput, "its steps are out of order or outside the formula");
    }
    end = step.leaf.end;
    example.final = step.value == kOmega;
    example.steps.push_back(std::move(step));
  }
  if (example.final) example.steps.clear();
  return example;
}

class FolderSource : public ExampleSource {
 public:
  explicit FolderSource(const std::filesystem::path& folder) {
    const auto selector = folder / "selector";
    read_rows(selector / "train.csv", "steps",
              [this](std::string_view formula, std::string_view steps, int group) {
                parse_example(formula, steps);  // throws with the line, and not in mid-training
                group_at(train_, group).add(formula, steps, 1);
              });
    if (train_.empty()) throw Error(ErrorKind::kInput, folder.string() + ": no training formula");
    read_examples(selector / "valid_id.csv", in_distribution_);
    read_examples(selector / "valid_ood.csv", out_of_distribution_);
    read_pairs(folder / "solver" / "train.csv", pairs_.train);
    const auto valid = folder / "solver" / "valid_id.csv";
    if (std::filesystem::exists(valid)) read_pairs(valid, pairs_.valid);
    pairs_.unseen = pairs_.valid;
  }

  std::string alphabet() const override {
    std::set<char> characters;
    const auto add = [&](std::string_view text) { characters.insert(text.begin(), text.end()); };
    for (const PairList& group : train_) {
      for (std::size_t i = 0; i < group.size(); ++i) add(group.text(i));
    }
    for (std::size_t i = 0; i < pairs_.train.size(); ++i) add(pairs_.train.text(i));
    return {characters.begin(), characters.end()};
  }

  data::RewriteExample draw(Rng& rng) const override {
    const PairList& group = train_[rng.below(train_.size())];
    const std::size_t i = rng.below(group.size());
    return parse_example(group.text(i), group.value(i));
  }

  Validation validation(int count, std::uint64_t /*seed*/) const override {
    return {.in_distribution = first_of_each(in_distribution_, count),
            .out_of_distribution = first_of_each(out_of_distribution_, count)};
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    Rng order(seed);
    return {.train = pairs_.train.shuffled(order),
            .valid = pairs_.valid.shuffled(order),
            .unseen = pairs_.unseen};
  }

 private:
  using Groups = std::vector<std::vector<data::RewriteExample>>;

  static void read_examples(const std::filesystem::path& path, Groups& groups) {
    read_rows(path, "steps", [&](std::string_view formula, std::string_view steps, int group) {
      group_at(groups, group).push_back(parse_example(formula, steps));
    });
  }

  static void read_pairs(const std::filesystem::path& path, PairList& pairs) {
    read_rows(path, "Y", [&](std::string_view text, std::string_view value, int group) {
      value == kOmega ? pairs.add_final(text) : pairs.add(text, value, group + 1);
    });
  }

  static std::vector<data::RewriteExample> first_of_each(const Groups& groups, int count) {
    std::vector<data::RewriteExample> examples;
    for (const auto& group : groups) {
      const std::size_t most = std::min(group.size(), static_cast<std::size_t>(count));
      examples.insert(examples.end(), group.begin(),
                      group.begin() + static_cast<std::ptrdiff_t>(most));
    }
    return examples;
  }

  std::vector<PairList> train_;  // formulas of one difficulty, with their steps as text
  Groups in_distribution_;
  Groups out_of_distribution_;
  SolverPairs pairs_;
};

using SolvedGroups = std::vector<PairList>;  // of one difficulty each

SolvedGroups read_groups(const std::filesystem::path& path) {
  SolvedGroups groups;
  read_rows(path, "Y", [&](std::string_view formula, std::string_view value, int group) {
    if (formula.empty() || value.empty()) {
      throw Error(ErrorKind::kInput, "the formula or its value is missing");
    }
    group_at(groups, group).add(formula, value, 1);
  });
  return groups;
}

SolvedFormula example(const PairList& group, std::size_t i) {
  return {std::string(group.text(i)), std::string(group.value(i))};
}

class FolderSolved : public SolvedSource {
 public:
  explicit FolderSolved(const std::filesystem::path& folder)
      : train_(read_groups(folder / "train.csv")),
        in_distribution_(read_groups(folder / "valid_id.csv")),
        out_of_distribution_(read_groups(folder / "valid_ood.csv")) {
    if (train_.empty()) throw Error(ErrorKind::kInput, folder.string() + ": no training formula");
  }

  // Nothing says which levels are easy: all are open from the start.
  SolvedFormula draw(Rng& rng, double /*progress*/) const override {
    const PairList& group = train_[rng.below(train_.size())];
    return example(group, rng.below(group.size()));
  }

  SolvedValidation validation(int count, std::uint64_t /*seed*/) const override {
    return {.in_distribution = first_of_each(in_distribution_, count),
            .out_of_distribution = first_of_each(out_of_distribution_, count)};
  }

  void add_tokens(model::VocabularyBuilder& formulas,
                  model::VocabularyBuilder& values) const override {
    for (const SolvedGroups* groups : {&train_, &in_distribution_, &out_of_distribution_}) {
      for (const PairList& group : *groups) {
        for (std::size_t i = 0; i < group.size(); ++i) {
          formulas.add(group.text(i));
          values.add(group.value(i));
        }
      }
    }
  }

 private:
  static std::vector<SolvedFormula> first_of_each(const SolvedGroups& groups, int count) {
    std::vector<SolvedFormula> examples;
    for (const PairList& group : groups) {
      const std::size_t most = std::min(group.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < most; ++i) examples.push_back(example(group, i));
    }
    return examples;
  }

  SolvedGroups train_, in_distribution_, out_of_distribution_;
};

}  // namespace

std::unique_ptr<ExampleSource> make_folder_source(const std::filesystem::path& folder) {
  return std::make_unique<FolderSource>(folder);
}

std::unique_ptr<SolvedSource> make_solved_folder(const std::filesystem::path& folder) {
  return std::make_unique<FolderSolved>(folder);
}

}  // namespace nrs::learn

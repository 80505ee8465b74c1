// What is learnt from folders: data sets, or formulas with their values, of any rewriting system.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/csv.h"
#include "learn/examples/example_source.h"
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

SolvedFormula solved_formula(std::string_view formula, std::string_view value) {
  if (formula.empty() || value.empty()) {
    throw Error(ErrorKind::kInput, "the formula or its value is missing");
  }
  return {std::string(formula), std::string(value)};
}

using Levels = std::vector<PairList>;  // rows of one difficulty each

// The files train.csv, valid_id.csv and valid_ood.csv of a folder. Rows are kept as they are in the
// file: as an Example, each would take much more memory.
template <class Kind>
class FolderFormulas : public Kind {
 public:
  using Example = typename Kind::Example;
  using Parse = Example (*)(std::string_view formula, std::string_view text);

  // They are in its folder `part`; `column` is that of the text.
  FolderFormulas(const std::filesystem::path& folder, std::string_view part,
                 std::string_view column, Parse parse)
      : parse_(parse) {
    train_ = read(folder / part / "train.csv", column);
    if (train_.empty()) throw Error(ErrorKind::kInput, folder.string() + ": no training formula");
    in_distribution_ = read(folder / part / "valid_id.csv", column);
    out_of_distribution_ = read(folder / part / "valid_ood.csv", column);
  }

  // Nothing says which levels are easy: all are open from the start.
  Example draw(Rng& rng, double /*progress*/) const final {
    const PairList& level = train_[rng.below(train_.size())];
    return example(level, rng.below(level.size()));
  }

  Validation<Example> validation(int count, std::uint64_t /*seed*/) const final {
    return {.in_distribution = first_of_each(in_distribution_, count),
            .out_of_distribution = first_of_each(out_of_distribution_, count)};
  }

 protected:
  const Levels& training() const { return train_; }

  // Calls take(formula, text) for all.
  template <class Take>
  void for_each(const Take& take) const {
    for (const Levels* levels : {&train_, &in_distribution_, &out_of_distribution_}) {
      for (const PairList& level : *levels) {
        for (std::size_t i = 0; i < level.size(); ++i) take(level.text(i), level.value(i));
      }
    }
  }

 private:
  Levels read(const std::filesystem::path& path, std::string_view column) const {
    Levels levels;
    read_rows(path, column, [&](std::string_view formula, std::string_view text, int group) {
      parse_(formula, text);  // throws with the line, and not in mid-training
      const auto level = static_cast<std::size_t>(group);
      if (level == levels.size()) levels.emplace_back();
      levels[level].add(formula, text, 1);
    });
    return levels;
  }

  Example example(const PairList& level, std::size_t i) const {
    return parse_(level.text(i), level.value(i));
  }

  std::vector<Example> first_of_each(const Levels& levels, int count) const {
    std::vector<Example> examples;
    for (const PairList& level : levels) {
      const std::size_t most = std::min(level.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < most; ++i) examples.push_back(example(level, i));
    }
    return examples;
  }

  Parse parse_;
  Levels train_, in_distribution_, out_of_distribution_;
};

class FolderSource : public FolderFormulas<ExampleSource> {
 public:
  explicit FolderSource(const std::filesystem::path& folder)
      : FolderFormulas(folder, "selector", "steps", parse_example) {
    read_pairs(folder / "solver" / "train.csv", pairs_.train);
    const auto valid = folder / "solver" / "valid_id.csv";
    if (std::filesystem::exists(valid)) read_pairs(valid, pairs_.valid);
    pairs_.unseen = pairs_.valid;
  }

  void add_characters(model::VocabularyBuilder& to) const override {
    for (const PairList& level : training()) add_texts(level, to);
    add_texts(pairs_.train, to);
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    Rng order(seed);
    return {.train = pairs_.train.shuffled(order),
            .valid = pairs_.valid.shuffled(order),
            .unseen = pairs_.unseen};
  }

 private:
  static void read_pairs(const std::filesystem::path& path, PairList& pairs) {
    read_rows(path, "Y", [&](std::string_view text, std::string_view value, int group) {
      value == kOmega ? pairs.add_final(text) : pairs.add(text, value, group + 1);
    });
  }

  static void add_texts(const PairList& list, model::VocabularyBuilder& to) {
    for (std::size_t i = 0; i < list.size(); ++i) to.add(list.text(i));
  }

  SolverPairs pairs_;
};

class FolderSolved : public FolderFormulas<SolvedSource> {
 public:
  explicit FolderSolved(const std::filesystem::path& folder)
      : FolderFormulas(folder, "", "Y", solved_formula) {}
  void add_tokens(model::VocabularyBuilder& formulas,
                  model::VocabularyBuilder& values) const override {
    for_each([&](std::string_view formula, std::string_view value) {
      formulas.add(formula);
      values.add(value);
    });
  }
};

}  // namespace

std::unique_ptr<ExampleSource> make_folder_source(const std::filesystem::path& folder) {
  return std::make_unique<FolderSource>(folder);
}

std::unique_ptr<SolvedSource> make_solved_folder(const std::filesystem::path& folder) {
  return std::make_unique<FolderSolved>(folder);
}

}  // namespace nrs::learn

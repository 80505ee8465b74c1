#include <algorithm>

#include "learn/examples/data_rows.h"
#include "learn/examples/pair_list.h"
#include "learn/examples/whole_source.h"
#include "nrs/error.h"

namespace nrs {
namespace {

using Groups = std::vector<PairList>;  // of one difficulty each

Groups read_groups(const std::filesystem::path& path) {
  Groups groups;
  read_rows(path, "Y", [&](std::string_view formula, std::string_view value, int group) {
    if (formula.empty() || value.empty()) {
      throw Error(ErrorKind::kInput, "the formula or its value is missing");
    }
    const auto at = static_cast<std::size_t>(group);
    if (groups.size() <= at) groups.resize(at + 1);
    groups[at].add(formula, value, 1);
  });
  return groups;
}

WholeExample example(const PairList& group, std::size_t i) {
  return {std::string(group.text(i)), std::string(group.value(i))};
}

class FolderWhole : public WholeSource {
 public:
  explicit FolderWhole(const std::filesystem::path& folder)
      : train_(read_groups(folder / "train.csv")),
        known_(read_groups(folder / "valid_id.csv")),
        deeper_(read_groups(folder / "valid_ood.csv")) {
    if (train_.empty()) throw Error(ErrorKind::kInput, folder.string() + ": no training formula");
  }

  // Nothing says which levels are easy: all are open from the start.
  WholeExample draw(Rng& rng, double /*progress*/) const override {
    const PairList& group = train_[rng.below(train_.size())];
    return example(group, rng.below(group.size()));
  }

  WholeValidation validation(int count, std::uint64_t /*seed*/) const override {
    return {.known_levels = first_of_each(known_, count),
            .deeper_levels = first_of_each(deeper_, count)};
  }

  void add_tokens(VocabularyBuilder& formulas, VocabularyBuilder& values) const override {
    for (const Groups* groups : {&train_, &known_, &deeper_}) {
      for (const PairList& group : *groups) {
        for (std::size_t i = 0; i < group.size(); ++i) {
          formulas.add(group.text(i));
          values.add(group.value(i));
        }
      }
    }
  }

 private:
  static std::vector<WholeExample> first_of_each(const Groups& groups, int count) {
    std::vector<WholeExample> examples;
    for (const PairList& group : groups) {
      const std::size_t most = std::min(group.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < most; ++i) examples.push_back(example(group, i));
    }
    return examples;
  }

  Groups train_, known_, deeper_;
};

}  // namespace

std::unique_ptr<WholeSource> make_whole_folder(const std::filesystem::path& folder) {
  return std::make_unique<FolderWhole>(folder);
}

}  // namespace nrs

#pragma once
// Whole formulas with their values: what a model learns from that rewrites nothing.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "model/tokenizer.h"
#include "recipe/recipe.h"

namespace nrs {

struct WholeExample {
  std::string formula;
  std::string value;
};

struct WholeValidation {
  std::vector<WholeExample> known_levels;   // as difficult as the training examples (ID)
  std::vector<WholeExample> deeper_levels;  // more difficult (OOD)
};

// Const and thread-safe.
class WholeSource {
 public:
  virtual ~WholeSource() = default;

  // How many levels of difficulty are open once `progress` of the way to the most difficult one is
  // behind us: the easier half at 0, all at 1 and beyond. Of a domain, they are its nestings.
  static std::size_t open_levels(std::size_t levels, double progress);

  // Every open level of difficulty as likely as any other, final values among them.
  virtual WholeExample draw(Rng& rng, double progress = 1) const = 0;
  // `count` examples per level of difficulty. The same for the same seed.
  virtual WholeValidation validation(int count, std::uint64_t seed) const = 0;
  // Adds texts that have, together, every token of any formula and of any value.
  virtual void add_tokens(VocabularyBuilder& formulas, VocabularyBuilder& values) const = 0;
};

// Formulas of the domains of a recipe as they are generated, of the levels that Selectors are
// trained on; or the data set in its folder. Throws Error: usage, or input for bad files.
std::unique_ptr<WholeSource> make_whole_source(const DataConfig& config);

// A folder with the files train.csv, valid_id.csv and valid_ood.csv: formulas (X) with their values
// (Y), of any rewriting system. Rows with the same `nesting`, `num_operands`, `extra` and `domain`,
// as far as there are such columns, are one level of difficulty; the file has the easiest first.
std::unique_ptr<WholeSource> make_whole_folder(const std::filesystem::path& folder);

}  // namespace nrs

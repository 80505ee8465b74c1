#pragma once
// Formulas with their values, without steps: what a model learns from that rewrites nothing.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "learn/examples/example_source.h"
#include "model/tokenizer.h"
#include "recipe/recipe.h"

namespace nrs::learn {

struct SolvedFormula {
  std::string formula;
  std::string value;
};

using SolvedValidation = ValidationSets<SolvedFormula>;

// Const and thread-safe.
class SolvedSource {
 public:
  virtual ~SolvedSource() = default;

  // Every level of difficulty as likely as any other, final values among them. Of a domain, the
  // shallower half of the nestings at a progress of 0, and all from 1 on.
  virtual SolvedFormula draw(Rng& rng, double progress) const = 0;
  // `count` examples per level of difficulty. The same for the same seed.
  virtual SolvedValidation validation(int count, std::uint64_t seed) const = 0;
  // Adds texts that have, together, every token of any formula and of any value.
  virtual void add_tokens(model::VocabularyBuilder& formulas,
                          model::VocabularyBuilder& values) const = 0;
};

// Formulas of the domains of a recipe as they are generated, of the levels that Selectors are
// trained on; or the data set in its folder. Throws Error: usage, or input for bad files.
std::unique_ptr<SolvedSource> make_solved_source(const recipe::DataConfig& config);

// A folder with the files train.csv, valid_id.csv and valid_ood.csv: formulas (X) with their values
// (Y), of any rewriting system. Rows with the same `nesting`, `num_operands`, `extra` and `domain`,
// as far as there are such columns, are one level of difficulty.
std::unique_ptr<SolvedSource> make_solved_folder(const std::filesystem::path& folder);

}  // namespace nrs::learn

#pragma once
// Where a training run gets its examples. The rest of the learning code knows only this.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "data/example.h"
#include "data/pair_file.h"
#include "data/protocol.h"
#include "model/tokenizer.h"
#include "nn/config.h"
#include "nrs/domain.h"
#include "recipe/recipe.h"

namespace nrs::learn {

// Texts and their values, a million of them in little memory: (leaf, value) and (final formula,
// omega). Every pair belongs to a group of about equal difficulty; group kFinalGroup has the final
// formulas.
class PairList {
 public:
  static constexpr int kFinalGroup = 0;

  void add(std::string_view text, std::string_view value, int group);
  void add_final(std::string_view text) { add(text, {}, kFinalGroup); }
  void append(const PairList& other);

  std::size_t size() const { return rows_.size(); }
  std::string_view text(std::size_t i) const { return part(rows_[i].begin, rows_[i].text); }
  // Empty when the answer is omega.
  std::string_view value(std::size_t i) const {
    return part(rows_[i].begin + rows_[i].text, rows_[i].value);
  }
  bool omega(std::size_t i) const { return rows_[i].group == kFinalGroup; }
  int group(std::size_t i) const { return rows_[i].group; }

  PairList shuffled(Rng& rng) const;

 private:
  struct Row {
    std::uint64_t begin;
    std::uint32_t text;
    std::uint32_t value;
    int group;
  };
  std::string_view part(std::size_t begin, std::size_t size) const {
    return std::string_view(characters_).substr(begin, size);
  }

  std::string characters_;
  std::vector<Row> rows_;
};

// Examples on which a module is measured while it learns.
template <class Example>
struct ValidationSets {
  std::vector<Example> in_distribution;      // as difficult as the training examples
  std::vector<Example> out_of_distribution;  // more difficult: deeper or longer
};
using Validation = ValidationSets<data::RewriteExample>;

// What a Solver learns from and what it is measured on, each in a random but fixed order. When all
// there is is learned, the last two are empty.
struct SolverPairs {
  PairList train;
  PairList valid;         // measured while it learns
  PairList unseen;        // all that exists and is not in `train`: measured once, at the end
  bool complete = false;  // no other text than those of `train` has an answer
  std::vector<std::uint32_t> met{};  // how often each of `train` was met; empty: once each

  std::size_t times(std::size_t i) const { return met.empty() ? 1 : met[i]; }
};

// Const and thread-safe.
class ExampleSource {
 public:
  virtual ~ExampleSource() = default;

  // Every character of a formula or value, at least once.
  virtual std::string alphabet() const = 0;
  // A training example of the Selector: every group of difficulty as likely as any other. The
  // values of its steps may be left out.
  virtual data::RewriteExample draw(Rng& rng) const = 0;
  // `count` examples per group of difficulty. The same for the same seed.
  virtual Validation validation(int count, std::uint64_t seed) const = 0;
  // All pairs of the Solver.
  virtual SolverPairs pairs(std::uint64_t seed) const = 0;
};

// A formula with its value, without steps: what a model learns from that rewrites nothing.
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
  virtual SolvedFormula draw(Rng& rng, double progress = 1) const = 0;
  // `count` examples per level of difficulty. The same for the same seed.
  virtual SolvedValidation validation(int count, std::uint64_t seed) const = 0;
  // Adds texts that have, together, every token of any formula and of any value.
  virtual void add_tokens(model::VocabularyBuilder& formulas,
                          model::VocabularyBuilder& values) const = 0;
};

// The source that a recipe without traces asks for; the seed fixes the data of the paper's
// protocol. Throws Error: unknown domain (usage), bad file (input).
std::unique_ptr<ExampleSource> make_source(const recipe::DataConfig& config, std::uint64_t seed);
// Likewise.
std::unique_ptr<SolvedSource> make_solved_source(const recipe::DataConfig& config);

// A source that owns all of its examples: worked examples of any rewriting system, without a
// domain.
std::unique_ptr<ExampleSource> make_list_source(std::vector<data::RewriteExample> examples,
                                                const recipe::DataConfig& config);

// What cannot be learnt from worked examples, told before the training and not after it.
//
// Throws Error (input) if rewriting never ends in them.
void check_final_examples(const std::vector<data::RewriteExample>& examples);

// Throws Error (usage) if a leaf is longer than what a Selector that marks tokens sees of a
// formula. `warn` is told if only some final formulas are.
void check_examples(const nn::SelectorConfig& config,
                    const std::vector<data::RewriteExample>& examples,
                    const std::function<void(const std::string&)>& warn);

// Throws Error (usage) if a leaf or a value is longer than the Solver can read or write.
void check_examples(const nn::SolverConfig& config,
                    const std::vector<data::RewriteExample>& examples);

// Pairs alone, such as those of a file (data/pair_file.h). `held_out` is the fraction that is kept
// for validation: by the texts alone, so that a file that grows moves none from one side to the
// other. Final texts are never kept back.
SolverPairs split_pairs(std::span<const data::TaughtPair> taught, double held_out,
                        std::uint64_t seed);

// A data set written by `nrs dataset`: its own training and validation examples, no others. Throws
// Error (input) with file and line.
std::unique_ptr<ExampleSource> make_folder_source(const std::filesystem::path& folder);
// A folder with the files train.csv, valid_id.csv and valid_ood.csv: formulas (X) with their values
// (Y), of any rewriting system. Rows with the same `nesting`, `num_operands`, `extra` and `domain`,
// as far as there are such columns, are one level of difficulty.
std::unique_ptr<SolvedSource> make_solved_folder(const std::filesystem::path& folder);

// Formulas drawn on the fly, each domain as likely as any other. The domains must outlive the
// source; the built-in ones do.
// With the full protocol, every leaf and atom of the domains, and half of the formulas have been
// rewritten in an order that chance makes: people write (1+(2*3)) too. If `deepest` is not 0, half
// of all formulas are what is left of a formula of up to this nesting.
// With the paper's, of the leaves only the part that it trains on (data/protocol.h), which the seed
// fixes; and the formulas are of its kind, partly rewritten from the last leaf on. For its fixed
// sets of formulas, write them with `nrs dataset` and read the folder.
std::unique_ptr<ExampleSource> make_domains_source(std::vector<const Domain*> domains,
                                                   data::Protocol protocol = data::Protocol::kFull,
                                                   int deepest = 0, std::uint64_t seed = 0);
// Formulas of the domains as they are generated, of the levels that Selectors are trained on.
std::unique_ptr<SolvedSource> make_solved_domains(const std::vector<std::string>& names);

// All characters of the source, or with token rules all tokens that it makes of atoms, leaves and
// many formulas: an example that is drawn later must not have an unknown token.
model::VocabularyBuilder formula_tokens(const nn::SelectorConfig& config,
                                        const ExampleSource& source, std::uint64_t seed);

}  // namespace nrs::learn

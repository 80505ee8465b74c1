#pragma once
// The Selector and the Solver of a system that is known by patterns.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "nrs/modules.h"
#include "text/matcher.h"
#include "text/patterns.h"

namespace nrs::text {

// A PatternSet with everything in it looked up. Const and thread-safe.
class Reader {
 public:
  explicit Reader(PatternSet set);

  const PatternSet& set() const { return set_; }
  const Lexer& lexer() const { return lexer_; }
  const Matcher& matcher() const { return matcher_; }
  // The classes of some tokens of a text. A token far longer than any that was taught is unknown.
  Symbols classes(std::string_view text, const std::vector<Span>& tokens) const;
  // Whether a row of classes is that of a final text, where final texts are a few shapes.
  bool is_final_shape(const Symbols& row) const { return final_shapes_.contains(row); }
  // Whether a text without leaves may be final, where final texts have any length.
  bool may_be_final(const Symbols& row) const;
  // Throws Error (input, with the column) at a token that was never taught.
  void check(std::string_view text) const;
  // A number as final texts write it, without what is carried along; nothing if none has it.
  std::optional<std::string_view> head_of(long number) const;
  // How many bytes decide whether a range is a leaf.
  std::size_t reach() const;

 private:
  // A little more than was taught, for longer numbers and words.
  std::size_t longest_token() const {
    return set_.longest_token + (set_.lexer.numbers || set_.lexer.words ? 8 : 0);
  }

  PatternSet set_;
  Lexer lexer_;
  Vocabulary vocabulary_;
  Matcher matcher_;
  std::unordered_map<long, std::string> heads_;
  std::set<Symbols> final_shapes_;
  std::set<std::pair<Symbol, Symbol>> final_neighbours_;
};

class PatternSelector : public Selector {
 public:
  // `reader` must outlive this.
  explicit PatternSelector(const Reader& reader) : reader_(reader) {}
  std::vector<std::vector<SelectedLeaf>> select(std::span<const Fragment> fragments) const override;
  std::size_t reach() const override { return reader_.reach(); }
  bool is_final(std::string_view formula) const override;

 private:
  std::vector<SelectedLeaf> select(const Fragment& fragment) const;

  const Reader& reader_;
};

// Knows final formulas, copies a token where a pattern says so, and asks another Solver about all
// other leaves, in the one way in which they are spelt.
class PatternSolver : public Solver {
 public:
  // Both must outlive this.
  PatternSolver(const Reader& reader, const Solver& other) : reader_(reader), other_(other) {}
  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override;

 private:
  // A leaf, and what the other Solver is asked about it.
  struct Question {
    std::size_t place = 0;              // among the leaves
    std::vector<std::string> tokens{};  // with those in any order sorted
    const Pattern* pattern = nullptr;
    double log_prob = 0;  // of what was put in for tokens so far

    bool folds() const { return pattern != nullptr && pattern->folds; }
  };

  // The value if a pattern says it. Else the question is completed.
  std::optional<Solution> read_off(std::string_view leaf, Question& question) const;
  // The value by arithmetic; nothing if one of the numbers was never taught.
  std::optional<Solution> computed(const Question& question) const;
  // The part of a leaf that is asked about, or all of it; its value if a pattern says it.
  std::optional<Solution> part_of(const Question& question) const;
  std::string text_of(const Question& question) const;
  // The value of a leaf if it is the whole text, where that is another one.
  std::optional<std::string> alone(std::string_view leaf) const;
  // What is left to ask when a part of the leaf is known; nothing if it has no value.
  std::string after(const Question& question, const Solution& part) const;

  const Reader& reader_;
  const Solver& other_;
};

}  // namespace nrs::text

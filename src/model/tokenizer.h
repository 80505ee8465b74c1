#pragma once
// From text to token ids and back. A tokenizer is data: a few patterns and a list of tokens, both
// stored in the model file, so that no code has to know which rewriting system a model is for.
//
// Without rules every character is a token. A rule describes longer tokens as a sequence of
// characters and classes, each with an optional `+`, `*` or `?`:
//   MIN                      these three characters
//   [0-9]+                   a run of digits
//   [0-9]+[*][abxy*]+        a coefficient with its variables
// Repetition is greedy and never taken back, so that trying a rule takes one pass. A rule that
// begins with a class in braces holds only for texts that contain one of its characters:
//   {[}[0-9]                 single digits, in texts that contain an opening square bracket
// At each place the first rule that matches wins; where none does, the character is the token.
#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/config.h"
#include "nn/packing.h"
#include "nrs/formula.h"

namespace nrs::model {

class TokenRules {
 public:
  TokenRules() = default;
  // Throws Error (usage) for a rule that cannot be read.
  explicit TokenRules(std::vector<std::string> rules);

  // Cuts a text into tokens. Law: the spans are in order, without gaps, and cover the text.
  std::vector<Span> split(std::string_view text) const;
  // Those of them that a rule matched.
  std::vector<Span> matches(std::string_view text) const;
  const std::vector<std::string>& rules() const { return rules_; }

 private:
  struct Item {
    std::bitset<256> bytes;
    bool optional = false;  // `?` or `*`
    bool repeated = false;  // `+` or `*`
  };
  struct Rule {
    std::bitset<256> only_with;  // empty: always
    std::vector<Item> items;
  };
  static Rule read_rule(const std::string& rule);
  static std::size_t match(const Rule& rule, std::string_view text, std::size_t begin);
  // Calls act(token, whether a rule matched it) for the tokens of a text.
  template <class Act>
  void for_tokens(std::string_view text, const Act& act) const;

  std::vector<std::string> rules_;
  std::vector<Rule> compiled_;
};

// Ids below the first token's are for what is not text. An input vocabulary has only kPadId.
inline constexpr int kStartId = 1;
inline constexpr int kEndId = 2;
inline constexpr int kOmegaId = 3;
enum class Specials { kInput, kOutput };
constexpr auto enum_names(Specials) {
  return std::to_array<EnumName<Specials>>({
      {Specials::kInput, "input"},
      {Specials::kOutput, "output"},
  });
}

// A text as a network reads it.
struct Tokens {
  std::vector<std::int32_t> ids;  // kPadId where the token is unknown
  std::vector<Span> spans;        // where each stands in the text; empty if every byte is one
  // For each token that is a digit its place in its number: 1 for the last digit of a run, 2 for
  // the one before it, and so on; 0 for all other tokens.
  std::vector<std::int32_t> places;

  Span span(std::size_t token) const {
    return spans.empty() ? Span{token, token + 1} : spans[token];
  }
  // Of the tokens [begin, end), of which there is at least one.
  Span span(std::size_t begin, std::size_t end) const {
    return {span(begin).begin, span(end - 1).end};
  }
  void find_places(std::string_view text);
};

// Const and thread-safe after construction.
class Tokenizer {
 public:
  Tokenizer() = default;
  // Throws Error (input) if the tokens are not distinct or one is empty.
  Tokenizer(TokenRules rules, std::vector<std::string> tokens, Specials specials);

  const TokenRules& rules() const { return rules_; }
  const std::vector<std::string>& tokens() const { return tokens_; }
  Specials specials() const { return specials_; }
  // Ids are in [0, size()).
  int size() const { return first_id() + static_cast<int>(tokens_.size()); }

  // kPadId if the token is unknown.
  std::int32_t id(std::string_view token) const;
  // Throws Error (input, with the column) at a token that is not in the vocabulary: an unknown
  // token is never given the id of something else. There are always spans.
  Tokens encode(std::string_view text) const;
  // The same for a model that runs, where an unknown token is no error. Overwrites `tokens`; their
  // places only if asked for.
  void read(std::string_view text, bool places, Tokens& tokens) const;
  // Whether a token is one byte, whatever stands beside it.
  bool by_byte() const { return by_byte_; }

  // The ids of a value as a decoder writes it, its end symbol included. `omega` stands for the
  // value "nothing is left to compute".
  std::vector<std::int32_t> encode_value(std::string_view value, nn::Direction direction) const;
  static std::vector<std::int32_t> encode_omega() { return {kOmegaId, kEndId}; }
  // The text of written ids, without end symbol, in reading order; special ids have no text and
  // must not occur.
  std::string decode(std::span<const std::int32_t> ids, nn::Direction direction) const;

 private:
  int first_id() const { return specials_ == Specials::kInput ? nn::kPadId + 1 : kOmegaId + 1; }

  TokenRules rules_;
  std::vector<std::string> tokens_;
  Specials specials_ = Specials::kInput;
  std::map<std::string, std::int32_t, std::less<>> id_of_;
  bool by_byte_ = true;
  std::array<std::int32_t, 256> id_of_byte_{};
};

// Collects the tokens of a training set. The vocabulary is sorted: it does not depend on the order.
class VocabularyBuilder {
 public:
  explicit VocabularyBuilder(TokenRules rules) : rules_(std::move(rules)) {}

  void add(std::string_view text);
  Tokenizer build(Specials specials) const;

 private:
  TokenRules rules_;
  std::set<std::string, std::less<>> seen_;
};

}  // namespace nrs::model

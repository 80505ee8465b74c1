#pragma once
// Text to tokens for a model that runs: as the tokenizer, but an unknown token is no error.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/tokenizer.h"

namespace nrs::runtime {

struct Tokens {
  std::vector<std::int32_t> ids;     // kPadId where the token is unknown
  std::vector<Span> spans;           // empty if every character is a token
  std::vector<std::int32_t> places;  // see digit_places()

  Span span(std::size_t token) const {
    return spans.empty() ? Span{token, token + 1} : spans[token];
  }
  // Of the tokens [begin, end), of which there is at least one.
  Span span(std::size_t begin, std::size_t end) const {
    return {span(begin).begin, span(end - 1).end};
  }
};

// Const and thread-safe.
class TokenReader {
 public:
  // `tokenizer` must outlive this.
  explicit TokenReader(const Tokenizer& tokenizer);

  // Whether a token is one byte, whatever stands beside it.
  bool by_byte() const { return by_byte_; }
  // Overwrites `tokens`; their places only if asked for.
  void read(std::string_view text, bool places, Tokens& tokens) const;

 private:
  const Tokenizer& tokenizer_;
  bool by_byte_;
  std::array<std::int32_t, 256> ids_{};
};

}  // namespace nrs::runtime

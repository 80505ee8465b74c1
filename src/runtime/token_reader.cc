#include "runtime/token_reader.h"

#include <algorithm>

namespace nrs::runtime {

TokenReader::TokenReader(const Tokenizer& tokenizer)
    : tokenizer_(tokenizer),
      by_byte_(tokenizer.rules().rules().empty() &&
               std::ranges::all_of(tokenizer.tokens(),
                                   [](const std::string& token) { return token.size() == 1; })) {
  for (std::size_t byte = 0; byte < ids_.size(); ++byte) {
    const char token = static_cast<char>(byte);
    ids_[byte] = tokenizer.id({&token, 1});
  }
}

void TokenReader::read(std::string_view text, bool places, Tokens& tokens) const {
  tokens.ids.clear();
  tokens.spans.clear();
  if (by_byte_) {
    for (const char c : text) tokens.ids.push_back(ids_[static_cast<unsigned char>(c)]);
    if (!places) return;
    tokens.places.assign(text.size(), 0);
    for (std::size_t i = text.size(), place = 0; i-- > 0;) {
      place = text[i] >= '0' && text[i] <= '9' ? place + 1 : 0;
      tokens.places[i] = static_cast<std::int32_t>(place);
    }
    return;
  }
  tokens.spans = tokenizer_.rules().split(text);
  for (const Span& span : tokens.spans) tokens.ids.push_back(tokenizer_.id(span.of(text)));
  if (places) tokens.places = digit_places(text, tokens.spans);
}

}  // namespace nrs::runtime

#include "model/tokenizer.h"

#include <algorithm>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::model {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

[[noreturn]] void refuse_rule(const std::string& rule, const std::string& reason) {
  throw Error(ErrorKind::kUsage, "rule '" + excerpt(rule) + "': " + reason,
              "a rule is characters and [classes], each with an optional +, * or ?");
}

// Reads a class up to its closing character; `at` stands behind the opening one and ends behind the
// closing one. A range is two characters with '-' between them.
std::bitset<256> read_class(const std::string& rule, std::size_t& at, char close) {
  std::bitset<256> bytes;
  const std::size_t first = at;
  for (; at < rule.size() && (rule[at] != close || at == first); ++at) {
    unsigned last = byte_at(rule, at);
    const unsigned begin = last;
    if (at + 2 < rule.size() && rule[at + 1] == '-' && rule[at + 2] != close) {
      last = byte_at(rule, at + 2);
      at += 2;
    }
    if (last < begin) refuse_rule(rule, "a range runs backwards");
    for (unsigned byte = begin; byte <= last; ++byte) bytes.set(byte);
  }
  if (at == rule.size()) refuse_rule(rule, std::string("no closing '") + close + "'");
  ++at;
  return bytes;
}

}  // namespace

TokenRules::TokenRules(std::vector<std::string> rules) : rules_(std::move(rules)) {
  for (const std::string& rule : rules_) compiled_.push_back(read_rule(rule));
}

TokenRules::Rule TokenRules::read_rule(const std::string& text) {
  Rule rule;
  std::size_t at = 0;
  if (!text.empty() && text[0] == '{') rule.only_with = read_class(text, ++at, '}');
  bool can_be_empty = true;
  while (at < text.size()) {
    Item item;
    const char c = text[at++];
    if (c == '[') {
      item.bytes = read_class(text, at, ']');
    } else if (c == '+' || c == '*' || c == '?') {
      refuse_rule(text,
                  std::string("'") + c + "' follows nothing; write [" + c + "] for the character");
    } else {
      item.bytes.set(static_cast<unsigned char>(c));
    }
    const char suffix = at < text.size() ? text[at] : '\0';
    item.optional = suffix == '*' || suffix == '?';
    item.repeated = suffix == '*' || suffix == '+';
    if (item.optional || item.repeated) ++at;
    can_be_empty = can_be_empty && item.optional;
    rule.items.push_back(item);
  }
  if (can_be_empty) refuse_rule(text, "it would match an empty token");
  return rule;
}

std::size_t TokenRules::match(const Rule& rule, std::string_view text, std::size_t begin) {
  std::size_t at = begin;
  for (const Item& item : rule.items) {
    const auto fits = [&] { return at < text.size() && item.bytes.test(byte_at(text, at)); };
    if (!fits()) {
      if (!item.optional) return 0;
      continue;
    }
    ++at;
    while (item.repeated && fits()) ++at;
  }
  return at - begin;
}

template <class Act>
void TokenRules::for_tokens(std::string_view text, const Act& act) const {
  std::bitset<256> present;
  for (const char c : text) present.set(static_cast<unsigned char>(c));
  std::vector<const Rule*> active;
  for (const Rule& rule : compiled_) {
    if (rule.only_with.none() || (rule.only_with & present).any()) active.push_back(&rule);
  }
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < active.size() && length == 0; ++i) {
      length = match(*active[i], text, at);
    }
    const bool matched = length != 0;
    // A byte that begins no character stands for itself.
    if (!matched) length = std::max<std::size_t>(1, utf8_length(text.substr(at)));
    act(Span{at, at + length}, matched);
    at += length;
  }
}

std::vector<Span> TokenRules::split(std::string_view text) const {
  std::vector<Span> tokens;
  tokens.reserve(text.size());
  for_tokens(text, [&](Span token, bool /*matched*/) { tokens.push_back(token); });
  return tokens;
}

std::vector<Span> TokenRules::matches(std::string_view text) const {
  std::vector<Span> matches;
  for_tokens(text, [&](Span token, bool matched) {
    if (matched) matches.push_back(token);
  });
  return matches;
}

void Tokens::find_places(std::string_view text) {
  places.resize(ids.size());
  std::int32_t place = 0;
  for (std::size_t i = ids.size(); i-- > 0;) {
    const std::string_view token = span(i).of(text);
    place = token.size() == 1 && is_digit(token[0]) ? place + 1 : 0;
    places[i] = place;
  }
}

Tokenizer::Tokenizer(TokenRules rules, std::vector<std::string> tokens, Specials specials)
    : rules_(std::move(rules)), tokens_(std::move(tokens)), specials_(specials) {
  for (const std::string& token : tokens_) {
    const std::int32_t id = first_id() + static_cast<std::int32_t>(id_of_.size());
    if (token.empty() || !id_of_.emplace(token, id).second) {
      throw Error(ErrorKind::kInput, "vocabulary: token '" + excerpt(token) + "' is " +
                                         (token.empty() ? "empty" : "there twice"));
    }
  }
  by_byte_ = rules_.rules().empty() &&
             std::ranges::all_of(tokens_, [](const std::string& t) { return t.size() == 1; });
  for (std::size_t byte = 0; byte < id_of_byte_.size(); ++byte) {
    const char token = static_cast<char>(byte);
    id_of_byte_[byte] = id({&token, 1});
  }
}

std::int32_t Tokenizer::id(std::string_view token) const {
  const auto known = id_of_.find(token);
  return known == id_of_.end() ? nn::kPadId : known->second;
}

Tokens Tokenizer::encode(std::string_view text) const {
  Tokens encoded;
  encoded.spans = rules_.split(text);
  encoded.ids.reserve(encoded.spans.size());
  for (const Span& span : encoded.spans) {
    const std::int32_t known = id(span.of(text));
    if (known == nn::kPadId) {
      throw Error::at(span.begin, "'" + excerpt(span.of(text)) + "' is not a token of this model",
                      "the model was trained without it");
    }
    encoded.ids.push_back(known);
  }
  encoded.find_places(text);
  return encoded;
}

void Tokenizer::read(std::string_view text, bool places, Tokens& tokens) const {
  tokens.ids.clear();
  tokens.spans.clear();
  if (by_byte_) {
    for (const char c : text) tokens.ids.push_back(id_of_byte_[static_cast<unsigned char>(c)]);
  } else {
    tokens.spans = rules_.split(text);
    for (const Span& span : tokens.spans) tokens.ids.push_back(id(span.of(text)));
  }
  if (places) tokens.find_places(text);
}

std::vector<std::int32_t> Tokenizer::encode_value(std::string_view value,
                                                  nn::Direction direction) const {
  std::vector<std::int32_t> ids = encode(value).ids;
  if (direction == nn::Direction::kRightToLeft) std::reverse(ids.begin(), ids.end());
  ids.push_back(kEndId);
  return ids;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids, nn::Direction direction) const {
  std::string text;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int32_t id =
        direction == nn::Direction::kRightToLeft ? ids[ids.size() - 1 - i] : ids[i];
    if (id < first_id() || id >= size()) {
      throw Error(ErrorKind::kInput, "token id " + std::to_string(id) + " has no text");
    }
    text += tokens_[static_cast<std::size_t>(id - first_id())];
  }
  return text;
}

void VocabularyBuilder::add(std::string_view text) {
  for (const Span& span : rules_.split(text)) {
    if (!seen_.contains(span.of(text))) seen_.emplace(span.of(text));
  }
}

Tokenizer VocabularyBuilder::build(Specials specials) const {
  return Tokenizer(rules_, {seen_.begin(), seen_.end()}, specials);
}

}  // namespace nrs::model

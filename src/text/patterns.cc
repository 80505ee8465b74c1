#include "text/patterns.h"

namespace nrs::text {

bool token_less(std::string_view a, std::string_view b) {
  const bool number = is_number(a);
  if (number != is_number(b)) return number;
  if (!number) return a < b;
  const bool negative = a.front() == '-';
  if (negative != (b.front() == '-')) return negative;
  if (a.size() != b.size()) return (a.size() < b.size()) != negative;
  return negative ? b < a : a < b;
}

Vocabulary::Vocabulary(Lexer lexer, bool number_class, const std::vector<std::string>& values)
    : lexer_(std::move(lexer)), number_class_(number_class) {
  for (const std::string_view name : {std::string_view("<unknown>"), kStart, kEnd}) add(name);
  number_ = add(kNumber);
  if (values.empty() && lexer_.config().compounds.empty()) return;
  value_ = add(kValue);
  for (const std::string& token : values) numbers_.insert_or_assign(token, value_);
}

Symbol Vocabulary::add(std::string_view name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const auto symbol = static_cast<Symbol>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(name, symbol);
  return symbol;
}

Symbol Vocabulary::by_form(std::string_view token) const {
  if (lexer_.is_compound(token)) return value_;
  return number_class_ && is_number(token) ? number_ : kUnknown;
}

Symbol Vocabulary::class_of(std::string_view token) const {
  if (const Symbol form = by_form(token); form != kUnknown) return form;
  const auto found = numbers_.find(token);
  return found == numbers_.end() ? kUnknown : found->second;
}

Symbol Vocabulary::learn(std::string_view token) {
  const Symbol form = by_form(token);
  return form != kUnknown ? form : add(token);
}

}  // namespace nrs::text

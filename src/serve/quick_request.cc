// The usual body of POST /v1/simplify: ASCII without escapes, and nothing wrong with it.
#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "serve/simplify_request.h"

namespace nrs::serve {
namespace {

class QuickReader {
 public:
  QuickReader(std::string_view body, const Limits& limits)
      : body_(body), left_(body), limits_(limits) {}

  // All but the formulas.
  std::optional<SimplifyRequest> read() {
    if (!take('{')) return std::nullopt;
    do {
      if (!read_field()) return std::nullopt;
    } while (take(','));
    if (!take('}')) return std::nullopt;
    skip_spaces();
    if (!left_.empty() || has_formula_ == has_formulas_) return std::nullopt;
    return std::move(request_);
  }

  std::vector<Span> places() { return std::move(places_); }

 private:
  bool read_field() {
    const auto name = take_text();
    if (!name || !take(':')) return false;
    if (*name == "formulas") return first(has_formulas_) && read_formulas();
    if (*name == "formula") return first(has_formula_) && read_formula();
    if (*name == "model") return first(has_model_) && read_model();
    if (*name == "trace") return first(has_trace_) && read_trace();
    return *name == "max_steps" && !request_.max_steps && read_max_steps();
  }
  static bool first(bool& seen) { return !std::exchange(seen, true); }

  bool read_formulas() {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      if (!read_formula()) return false;
    } while (take(','));
    return take(']');
  }
  bool read_formula() {
    const auto formula = take_text();
    if (!formula || places_.size() == limits_.formulas) return false;
    const auto begin = static_cast<std::size_t>(formula->data() - body_.data());
    places_.push_back({begin, begin + formula->size()});
    return true;
  }
  bool read_model() {
    const auto model = take_text();
    if (model) request_.model = *model;
    return model.has_value();
  }
  bool read_trace() {
    request_.trace = take_word("true");
    return request_.trace || take_word("false");
  }
  bool read_max_steps() {
    skip_spaces();
    std::size_t number = 0;
    const auto [end, code] = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (code != std::errc{} || left_.front() == '0' || number > limits_.steps) return false;
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    request_.max_steps = number;
    return true;
  }

  void skip_spaces() {
    const std::size_t end = left_.find_first_not_of(" \t\n\r");
    left_.remove_prefix(std::min(end, left_.size()));
  }
  bool take(char expected) {
    skip_spaces();
    if (left_.empty() || left_[0] != expected) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_spaces();
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  // A string without escapes, where it stands.
  std::optional<std::string_view> take_text() {
    if (!take('"')) return std::nullopt;
    const std::size_t length = plain_length(left_);
    if (length == left_.size() || left_[length] != '"') return std::nullopt;
    const std::string_view text = left_.substr(0, length);
    left_.remove_prefix(length + 1);
    return text;
  }

  std::string_view body_;
  std::string_view left_;
  const Limits& limits_;
  SimplifyRequest request_;
  std::vector<Span> places_;  // of the formulas
  bool has_formula_ = false;
  bool has_formulas_ = false;
  bool has_model_ = false;
  bool has_trace_ = false;
};

}  // namespace

std::optional<SimplifyRequest> read_quickly(std::string& body, const Limits& limits) {
  QuickReader reader(body, limits);
  std::optional<SimplifyRequest> request = reader.read();
  if (request) request->formulas = TextList(std::move(body), reader.places());
  return request;
}

}  // namespace nrs::serve

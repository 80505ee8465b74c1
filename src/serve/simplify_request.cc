#include "serve/simplify_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "serve/http.h"

namespace nrs::serve {
namespace {

using Parsed = nlohmann::json;

constexpr int kBad = 400;
constexpr int kTooMuch = 413;

Refusal too_many(const Limits& limits) {
  return {kTooMuch, fmt::format("there are more than {} formulas", limits.formulas),
          "send them in several requests"};
}

// Takes the parser's events one by one: what does not belong here ends it at once.
class Reader final : public nlohmann::json_sax<Parsed> {
 public:
  explicit Reader(const Limits& limits) : limits_(limits) {}

  SimplifyRequest finish() {
    const bool one = seen_.contains("formula");
    if (one == seen_.contains("formulas")) {
      throw Refusal(
          kBad, one ? "there are both \"formula\" and \"formulas\"" : "there is no \"formulas\"",
          "such as {\"formulas\":[\"((15+5)*(3-4))\"]}");
    }
    return std::move(request_);
  }

  bool start_object(std::size_t) override {
    if (inside_) refuse("an object");
    inside_ = true;
    return true;
  }
  bool key(string_t& name) override {
    static const std::vector<std::string> kFields{"formula", "formulas", "max_steps", "model",
                                                  "trace"};
    if (std::ranges::find(kFields, name) == kFields.end()) {
      const std::string close = nearest(name, kFields);
      throw Refusal(kBad, fmt::format("unknown field \"{}\"", excerpt(name)),
                    close.empty() ? fmt::format("there are {}", fmt::join(kFields, ", "))
                                  : fmt::format("did you mean {}?", close));
    }
    if (!seen_.insert(name).second) throw Refusal(kBad, fmt::format("\"{}\" is there twice", name));
    field_ = name;
    return true;
  }
  bool end_object() override { return true; }

  bool start_array(std::size_t) override {
    if (field_ != "formulas" || in_list_) refuse("a list");
    in_list_ = true;
    return true;
  }
  bool end_array() override {
    in_list_ = false;
    return true;
  }

  bool string(string_t& text) override {
    if (field_ == "model") {
      request_.model = std::move(text);
    } else if (field_ == "formula" || in_list_) {
      add(text);
    } else {
      refuse("a text");
    }
    return true;
  }
  bool boolean(bool value) override {
    if (field_ != "trace") refuse("true or false");
    request_.trace = value;
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (field_ != "max_steps") refuse("a number");
    if (value == 0 || value > limits_.steps) {
      throw Refusal(kBad, fmt::format("\"max_steps\" is not within 1 to {}", limits_.steps));
    }
    request_.max_steps = value;
    return true;
  }
  bool number_integer(number_integer_t) override { refuse("a negative number"); }
  bool number_float(number_float_t, const string_t&) override { refuse("a number with a point"); }
  bool null() override { refuse("null"); }
  bool binary(binary_t&) override { refuse("bytes"); }

  bool parse_error(std::size_t, const std::string&, const Parsed::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong"
    const std::string_view what = error.what();
    const std::size_t end = what.find("] ");
    throw Refusal(kBad, fmt::format("the body is not JSON: {}",
                                    excerpt(what.substr(end == what.npos ? 0 : end + 2), 200)));
  }

 private:
  void add(std::string_view formula) {
    if (request_.formulas.size() == limits_.formulas) throw too_many(limits_);
    request_.formulas.add(formula);
  }

  [[noreturn]] void refuse(std::string_view what) const {
    if (field_.empty()) throw Refusal(kBad, fmt::format("the body is {}, not an object", what));
    const char* wanted = field_ == "formulas"    ? "a list of texts"
                         : field_ == "trace"     ? "true or false"
                         : field_ == "max_steps" ? "a whole number"
                                                 : "a text";
    throw Refusal(kBad, fmt::format("\"{}\" is {}, not {}", field_, what, wanted));
  }

  const Limits& limits_;
  SimplifyRequest request_;
  std::set<std::string> seen_;
  std::string field_;
  bool inside_ = false;
  bool in_list_ = false;
};

}  // namespace

SimplifyRequest read_carefully(std::string_view body, const Limits& limits) {
  Reader reader(limits);
  Parsed::sax_parse(body.begin(), body.end(), &reader);
  return reader.finish();
}

SimplifyRequest read_simplify_request(std::string body, const Limits& limits) {
  if (auto read = read_quickly(body, limits)) return std::move(*read);
  return read_carefully(body, limits);
}

SimplifyRequest read_simplify_lines(std::string body, const Query& query, const Limits& limits) {
  static const std::vector<std::string> kKnown{"max_steps", "model"};
  check_parameters(query, kKnown);
  SimplifyRequest request{.model = value_in(query, "model")};
  if (query.contains("max_steps")) {
    request.max_steps = number_in(query, "max_steps", std::size_t{1}, {1, limits.steps});
  }
  std::vector<Span> places;
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t end = std::min(body.find('\n', begin), body.size());
    const bool carriage = end > begin && body[end - 1] == '\r';
    if (places.size() == limits.formulas) throw too_many(limits);
    places.push_back({begin, end - (carriage ? 1 : 0)});
    begin = end + 1;
  }
  request.formulas = TextList(std::move(body), std::move(places));
  return request;
}

}  // namespace nrs::serve

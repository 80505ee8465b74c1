#include "data/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "data/csv.h"
#include "nrs/error.h"

namespace nrs::data {
namespace {

constexpr std::string_view kOpening = "([{";
constexpr std::string_view kClosing = ")]}";

bool is_opening(char c) {
  return kOpening.find(c) != std::string_view::npos;
}
bool is_closing(char c) {
  return kClosing.find(c) != std::string_view::npos;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Where the brackets of a text point: closings without an opening before, openings without a
// closing behind.
struct Loose {
  std::size_t closings = 0;
  std::size_t openings = 0;
};

Loose loose_brackets(std::string_view text) {
  Loose loose;
  for (const char c : text) {
    if (is_opening(c)) ++loose.openings;
    if (is_closing(c)) loose.openings > 0 ? --loose.openings : ++loose.closings;
  }
  return loose;
}

// One rewrite acts on a leaf: no brackets at all, or one pair around everything else.
bool is_one_leaf(std::string_view text) {
  const auto brackets = std::count_if(text.begin(), text.end(),
                                      [](char c) { return is_opening(c) || is_closing(c); });
  if (brackets == 0) return true;
  return brackets == 2 && is_opening(text.front()) && is_closing(text.back());
}

// Widens the changed part over characters that both formulas share until it can be a leaf.
class Widening {
 public:
  Widening(std::string_view formula, std::string_view next) : formula_(formula), next_(next) {
    const std::size_t shorter = std::min(formula.size(), next.size());
    while (prefix_ < shorter && formula[prefix_] == next[prefix_]) ++prefix_;
    while (suffix_ < shorter - prefix_ &&
           formula[formula.size() - 1 - suffix_] == next[next.size() - 1 - suffix_]) {
      ++suffix_;
    }
  }

  Step step() {
    while (widen_once()) {
    }
    return {leaf(), std::string(next_.substr(prefix_, next_.size() - suffix_ - prefix_))};
  }

 private:
  Span leaf() const { return {prefix_, formula_.size() - suffix_}; }
  bool left() { return prefix_ > 0 && prefix_-- > 0; }
  bool right() { return suffix_ > 0 && suffix_-- > 0; }

  bool cuts_number(std::string_view text, std::size_t at) const {
    return at > 0 && at < text.size() && is_digit(text[at - 1]) && is_digit(text[at]);
  }

  bool widen_once() {
    const Loose loose = loose_brackets(leaf().of(formula_));
    if (loose.closings > 0) return left();
    if (loose.openings > 0) return right();
    const std::size_t value_end = next_.size() - suffix_;
    if (prefix_ == value_end || leaf().size() == 0) return right() || left();
    if (cuts_number(formula_, leaf().begin) && cuts_number(next_, prefix_)) return left();
    if (cuts_number(formula_, leaf().end) && cuts_number(next_, value_end)) return right();
    return false;
  }

  std::string_view formula_;
  std::string_view next_;
  std::size_t prefix_ = 0;
  std::size_t suffix_ = 0;
};

// Puts together what several lines say about the same formula.
class Collector {
 public:
  void add(RewriteExample example) {
    const auto [found, is_new] = index_.emplace(example.formula, examples_.size());
    if (is_new) {
      examples_.push_back(std::move(example));
      return;
    }
    RewriteExample& known = examples_[found->second];
    if (known.final != example.final) {
      throw Error(ErrorKind::kInput, "the formula is final here, but not in an earlier line");
    }
    for (Step& step : example.steps) merge(known, std::move(step));
  }

  std::vector<RewriteExample> take() && { return std::move(examples_); }

 private:
  static void merge(RewriteExample& known, Step step) {
    auto& steps = known.steps;
    const auto at = std::lower_bound(steps.begin(), steps.end(), step,
                                     [](const Step& a, const Step& b) { return a.leaf < b.leaf; });
    if (at != steps.end() && *at == step) return;
    const bool meets_next = at != steps.end() && at->leaf.begin < step.leaf.end;
    const bool meets_previous = at != steps.begin() && std::prev(at)->leaf.end > step.leaf.begin;
    if (meets_next || meets_previous) {
      throw Error(ErrorKind::kInput, "the rewrite contradicts an earlier one of the same formula");
    }
    steps.insert(at, std::move(step));
  }

  std::vector<RewriteExample> examples_;
  std::unordered_map<std::string, std::size_t> index_;
};

RewriteExample from_pair(std::string formula, std::string_view next) {
  RewriteExample example{.formula = std::move(formula), .steps = {}, .final = next.empty()};
  if (example.formula.empty()) throw Error(ErrorKind::kInput, "the formula is empty");
  if (!example.final) example.steps.push_back(recover_step(example.formula, next));
  return example;
}

template <class T>
T field(const nlohmann::ordered_json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) {
    throw Error(ErrorKind::kInput, fmt::format("'{}' is missing", name));
  }
  const T* value = found->template get_ptr<const T*>();
  if (value == nullptr)
    throw Error(ErrorKind::kInput, fmt::format("'{}' has the wrong type", name));
  return *value;
}

void check_keys(const nlohmann::ordered_json& object,
                std::initializer_list<std::string_view> known) {
  if (!object.is_object()) throw Error(ErrorKind::kInput, "expected an object: {...}");
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw Error(ErrorKind::kInput, fmt::format("unknown key '{}'", excerpt(key)));
    }
  }
}

std::vector<Step> steps_from(const nlohmann::ordered_json& list, std::string_view formula) {
  if (!list.is_array()) throw Error(ErrorKind::kInput, "'steps' has the wrong type");
  std::vector<Step> steps;
  std::size_t free_from = 0;
  for (const nlohmann::ordered_json& item : list) {
    check_keys(item, {"begin", "end", "value"});
    const auto place = [&item](const char* name) {
      return static_cast<std::size_t>(field<std::uint64_t>(item, name));
    };
    Step step{{place("begin"), place("end")}, field<std::string>(item, "value")};
    const Span leaf = step.leaf;
    if (leaf.begin < free_from || leaf.end <= leaf.begin || leaf.end > formula.size()) {
      throw Error(ErrorKind::kInput, fmt::format("the span {}-{} is empty, out of order or outside "
                                                 "the formula",
                                                 leaf.begin, leaf.end));
    }
    if (step.value.empty()) throw Error(ErrorKind::kInput, "'value' is empty");
    free_from = leaf.end;
    steps.push_back(std::move(step));
  }
  return steps;
}

// Refuses a line while it is read, before what it nests or lists has taken memory.
bool keep_only_examples(int depth, nlohmann::ordered_json::parse_event_t event,
                        const nlohmann::ordered_json& /*parsed*/) {
  constexpr int kStep = 2;  // the line is 0, its list of steps 1
  if (depth > kStep + 1) throw Error(ErrorKind::kInput, "nested too deeply");
  if (depth == kStep && event == nlohmann::ordered_json::parse_event_t::value) {
    throw Error(ErrorKind::kInput, "'steps' has the wrong type");
  }
  return true;
}

RewriteExample from_json(const std::string& line) {
  const nlohmann::ordered_json object =
      nlohmann::ordered_json::parse(line, keep_only_examples, /*allow_exceptions=*/false);
  if (object.is_discarded()) throw Error(ErrorKind::kInput, "not valid JSON");
  check_keys(object, {"formula", "steps", "final", "next"});
  std::string formula = field<std::string>(object, "formula");
  if (object.contains("next"))
    return from_pair(std::move(formula), field<std::string>(object, "next"));
  RewriteExample example{.formula = std::move(formula), .steps = {}, .final = false};
  if (example.formula.empty()) throw Error(ErrorKind::kInput, "the formula is empty");
  if (object.contains("final")) example.final = field<bool>(object, "final");
  if (object.contains("steps")) example.steps = steps_from(object["steps"], example.formula);
  if (example.final != example.steps.empty()) {
    throw Error(ErrorKind::kInput, "a formula has either steps or \"final\": true");
  }
  return example;
}

void read_csv(const std::filesystem::path& path, Collector& collector) {
  CsvReader reader(path);
  const std::size_t formula = reader.require({"formula", "X"});
  const std::size_t next = reader.require({"next"});
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    try {
      collector.add(from_pair(std::move(fields[formula]), fields[next]));
    } catch (const Error& error) {
      throw error.in(reader.place());
    }
  }
}

void read_jsonl(const std::filesystem::path& path, Collector& collector) {
  for_each_line(path, kMaxLine, [&](const std::string& line) { collector.add(from_json(line)); });
}

}  // namespace

Step recover_step(std::string_view formula, std::string_view next) {
  if (formula == next) {
    throw Error(ErrorKind::kInput, "the next formula is the same",
                "leave it empty if the formula is final");
  }
  Step step = Widening(formula, next).step();
  const std::string_view leaf = step.leaf.of(formula);
  if (leaf.empty() || step.value.empty() || !is_one_leaf(leaf)) {
    throw Error(
        ErrorKind::kInput,
        fmt::format("not one local rewrite: '{}' became '{}'", excerpt(leaf), excerpt(step.value)),
        "one row rewrites one leaf");
  }
  return step;
}

std::vector<RewriteExample> read_trace_file(const std::filesystem::path& path) {
  Collector collector;
  if (path.extension() == ".csv") {
    read_csv(path, collector);
  } else if (path.extension() == ".jsonl") {
    read_jsonl(path, collector);
  } else {
    throw Error(ErrorKind::kUsage, path.string() + ": unknown kind of trace file",
                "use .csv or .jsonl");
  }
  return std::move(collector).take();
}

std::string to_json_line(const RewriteExample& example) {
  // Ordered, so that the line begins with what a person looks for.
  nlohmann::ordered_json object;
  object["formula"] = example.formula;
  if (example.final) {
    object["final"] = true;
  } else {
    object["steps"] = nlohmann::ordered_json::array();
    for (const Step& step : example.steps) {
      object["steps"].push_back(
          {{"begin", step.leaf.begin}, {"end", step.leaf.end}, {"value", step.value}});
    }
  }
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace nrs::data

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "learn/example_source.h"
#include "model/checksum.h"
#include "model/tokenizer.h"
#include "nrs/error.h"

namespace nrs {
namespace {

// Whether a text is kept for validation: decided by the text alone, so that a file that grows does
// not move examples from one side to the other.
bool is_held_out(std::string_view text, double share) {
  return crc32(text) < share * 4294967296.0;
}

// Without a domain the length of a formula is all we know of its difficulty.
int difficulty(const RewriteExample& example) {
  return static_cast<int>(std::bit_width(example.formula.size()));
}

class ListSource : public ExampleSource {
 public:
  ListSource(std::vector<RewriteExample> examples, const DataConfig& config)
      : examples_(std::move(examples)), config_(config) {
    if (examples_.empty()) throw Error(ErrorKind::kInput, "there is no example to learn from");
    std::stable_sort(examples_.begin(), examples_.end(), [](const auto& a, const auto& b) {
      return a.formula.size() < b.formula.size();
    });
    const bool all = config_.protocol == Protocol::kFull;
    const double longest = all ? 0 : config_.held_out * static_cast<double>(examples_.size());
    shorter_ = examples_.size() - static_cast<std::size_t>(longest);
    std::map<int, std::vector<std::size_t>> by_difficulty;
    for (std::size_t i = 0; i < shorter_; ++i) {
      const bool kept = is_held_out(examples_[i].formula, config_.held_out);
      if (kept) known_.push_back(i);
      if (all || !kept) by_difficulty[difficulty(examples_[i])].push_back(i);
    }
    for (auto& entry : by_difficulty) groups_.push_back(std::move(entry.second));
    if (groups_.empty()) throw Error(ErrorKind::kInput, "too few examples to keep any back");
  }

  std::string alphabet() const override {
    std::set<std::string_view> characters;
    const TokenRules by_character;  // knows that a character can be several bytes
    const auto add = [&](const std::string& text) {
      for (const Span& span : by_character.split(text)) characters.insert(span.of(text));
    };
    for (const RewriteExample& example : examples_) {
      add(example.formula);
      for (const Step& step : example.steps) add(step.value);
    }
    std::string joined;
    for (const std::string_view character : characters) joined += character;
    return joined;
  }

  RewriteExample draw(Rng& rng) const override {
    const auto& group = groups_[rng.below(groups_.size())];
    return examples_[group[rng.below(group.size())]];
  }

  // The longest formulas are the deeper levels: shorter ones cannot show how a module scales.
  Validation validation(int count, std::uint64_t seed) const override {
    Validation validation;
    Rng rng(seed);
    const auto most = static_cast<std::size_t>(count) * std::max<std::size_t>(1, groups_.size());
    std::vector<std::size_t> known = known_;
    rng.shuffle(known);
    known.resize(std::min(known.size(), most));
    for (const std::size_t i : known) validation.known_levels.push_back(examples_[i]);
    std::vector<RewriteExample> deeper(examples_.begin() + static_cast<std::ptrdiff_t>(shorter_),
                                       examples_.end());
    rng.shuffle(deeper);
    deeper.resize(std::min(deeper.size(), most));
    validation.deeper_levels = std::move(deeper);
    return validation;
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    Answers values;
    for (const RewriteExample& example : examples_) {
      if (example.final) add(values, example.formula, "");
      for (const Step& step : example.steps) {
        add(values, std::string(step.leaf.of(example.formula)), step.value);
      }
    }
    std::vector<std::pair<std::string, Answer>> order(values.begin(), values.end());
    Rng(seed).shuffle(order);
    SolverPairs pairs;
    for (const auto& [text, answer] : order) {
      const bool kept = config_.protocol == Protocol::kPaper && is_held_out(text, config_.held_out);
      (kept ? pairs.valid : pairs.train).add(text, answer.value, answer.value.empty() ? 0 : 1);
      if (!kept) pairs.met.push_back(answer.times);
    }
    pairs.unseen = pairs.valid;
    return pairs;
  }

 private:
  struct Answer {
    std::string value;  // empty: omega
    std::uint32_t times = 0;
  };
  using Answers = std::map<std::string, Answer, std::less<>>;

  static void add(Answers& values, const std::string& text, const std::string& value) {
    Answer& known = values.try_emplace(text, Answer{value}).first->second;
    ++known.times;
    if (known.value == value) return;
    const auto name = [](const std::string& v) { return v.empty() ? "final" : "\"" + v + "\""; };
    throw Error(ErrorKind::kInput, "the examples contradict each other: \"" + text + "\" is " +
                                       name(known.value) + " and " + name(value));
  }

  std::vector<RewriteExample> examples_;  // shortest first
  DataConfig config_;
  std::size_t shorter_ = 0;  // the examples from here on are the deeper levels
  std::vector<std::size_t> known_;
  std::vector<std::vector<std::size_t>> groups_;
};

}  // namespace

std::unique_ptr<ExampleSource> make_list_source(std::vector<RewriteExample> examples,
                                                const DataConfig& config) {
  return std::make_unique<ListSource>(std::move(examples), config);
}

}  // namespace nrs

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "learn/examples/example_source.h"
#include "model/checksum.h"
#include "model/tokenizer.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

// Whether a leaf is kept for validation: decided by its text alone, so that a file that grows does
// not move leaves from one side to the other.
bool is_held_out(std::string_view text, double share) {
  return model::crc32(text) < share * 4294967296.0;
}

// Without a domain the length of a formula is all we know of its difficulty.
int difficulty(const data::RewriteExample& example) {
  return static_cast<int>(std::bit_width(example.formula.size()));
}

class ListSource : public ExampleSource {
 public:
  ListSource(std::vector<data::RewriteExample> examples, const recipe::DataConfig& config)
      : examples_(std::move(examples)), config_(config) {
    if (examples_.empty()) throw Error(ErrorKind::kInput, "there is no example to learn from");
    std::stable_sort(examples_.begin(), examples_.end(), [](const auto& a, const auto& b) {
      return a.formula.size() < b.formula.size();
    });
    hold_out();
    std::map<int, std::vector<std::size_t>> by_difficulty;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      if (!held_out_[i]) by_difficulty[difficulty(examples_[i])].push_back(i);
    }
    for (auto& entry : by_difficulty) groups_.push_back(std::move(entry.second));
  }

  std::string alphabet() const override {
    std::set<std::string_view> characters;
    const model::TokenRules by_character;  // knows that a character can be several bytes
    const auto add = [&](const std::string& text) {
      for (const Span& span : by_character.split(text)) characters.insert(span.of(text));
    };
    for (const data::RewriteExample& example : examples_) {
      add(example.formula);
      for (const Step& step : example.steps) add(step.value);
    }
    std::string joined;
    for (const std::string_view character : characters) joined += character;
    return joined;
  }

  data::RewriteExample draw(Rng& rng) const override {
    const auto& group = groups_[rng.below(groups_.size())];
    return examples_[group[rng.below(group.size())]];
  }

  Validation validation(int count, std::uint64_t seed) const override {
    Rng rng(seed);
    const auto most = static_cast<std::size_t>(count) * groups_.size();
    const auto some = [&](std::vector<std::size_t> numbers) {
      rng.shuffle(numbers);
      numbers.resize(std::min(numbers.size(), most));
      std::vector<data::RewriteExample> chosen;
      for (const std::size_t i : numbers) chosen.push_back(examples_[i]);
      return chosen;
    };
    Validation validation;
    validation.in_distribution = some(in_distribution_);
    validation.out_of_distribution = some(out_of_distribution_);
    return validation;
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    Answers values;
    for (const data::RewriteExample& example : examples_) {
      if (example.final) add(values, example.formula, "");
      for (const Step& step : example.steps) {
        add(values, std::string(step.leaf.of(example.formula)), step.value);
      }
    }
    count_values(values);
    std::vector<std::pair<std::string, Answer>> order(values.begin(), values.end());
    Rng(seed).shuffle(order);
    SolverPairs pairs;
    for (const auto& [text, answer] : order) {
      const bool kept =
          config_.protocol == data::Protocol::kPaper && is_held_out(text, config_.held_out);
      (kept ? pairs.valid : pairs.train).add(text, answer.value, answer.value.empty() ? 0 : 1);
      if (!kept) pairs.met.push_back(answer.times);
    }
    pairs.unseen = pairs.valid;
    return pairs;
  }

 private:
  // Keeps formulas back that the Selector is measured on and never learns from: the longest, which
  // show how it scales, and as many of the others. Never final ones: each of them has to be learnt.
  void hold_out() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      if (!examples_[i].final) open.push_back(i);
    }
    if (open.size() < 3) {
      throw Error(ErrorKind::kInput, "too few examples: none can be held out for validation",
                  "give at least three formulas with steps");
    }
    const std::size_t count = held_out_count(open.size());
    const auto shorter = open.end() - static_cast<std::ptrdiff_t>(count);
    out_of_distribution_.assign(shorter, open.end());
    // By their texts: as good as random, and a file that grows moves few of them.
    std::sort(open.begin(), shorter, [this](std::size_t a, std::size_t b) {
      return model::crc32(examples_[a].formula) < model::crc32(examples_[b].formula);
    });
    in_distribution_.assign(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(count));
    held_out_.assign(examples_.size(), false);
    for (const auto* numbers : {&in_distribution_, &out_of_distribution_}) {
      for (const std::size_t i : *numbers) held_out_[i] = true;
    }
  }

  // Where all leaves are learnt, no more is kept back than is needed to measure: the Selector needs
  // formulas that are longer than what it sees of them, and these are the longest.
  std::size_t held_out_count(std::size_t examples) const {
    const auto share = static_cast<std::size_t>(config_.held_out * static_cast<double>(examples));
    const auto enough = static_cast<std::size_t>(config_.valid_formulas);
    const bool all = config_.protocol == data::Protocol::kFull;
    return std::clamp<std::size_t>(all ? std::min(share, enough) : share, 1, examples / 3);
  }

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

  // The examples have a final formula once, however many come to it.
  void count_values(Answers& values) const {
    for (const data::RewriteExample& example : examples_) {
      for (const Step& step : example.steps) {
        const auto final = values.find(step.value);
        if (final != values.end() && final->second.value.empty()) ++final->second.times;
      }
    }
  }

  std::vector<data::RewriteExample> examples_;  // shortest first
  recipe::DataConfig config_;
  std::vector<std::size_t> in_distribution_;      // kept back: some of any length
  std::vector<std::size_t> out_of_distribution_;  // kept back: the longest
  std::vector<bool> held_out_;                    // either
  std::vector<std::vector<std::size_t>> groups_;
};

}  // namespace

SolverPairs split_pairs(std::span<const data::TaughtPair> taught, double held_out,
                        std::uint64_t seed) {
  std::vector<const data::TaughtPair*> order;
  for (const data::TaughtPair& pair : taught) order.push_back(&pair);
  Rng(seed).shuffle(order);
  SolverPairs pairs;
  for (const data::TaughtPair* pair : order) {
    const bool kept = pair->value && is_held_out(pair->text, held_out);
    (kept ? pairs.valid : pairs.train)
        .add(pair->text, pair->value.value_or(""), pair->value ? 1 : PairList::kFinalGroup);
    if (!kept) pairs.met.push_back(pair->times);
  }
  pairs.unseen = pairs.valid;
  return pairs;
}

std::unique_ptr<ExampleSource> make_list_source(std::vector<data::RewriteExample> examples,
                                                const recipe::DataConfig& config) {
  return std::make_unique<ListSource>(std::move(examples), config);
}

}  // namespace nrs::learn

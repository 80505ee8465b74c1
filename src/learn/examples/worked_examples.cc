// What is learnt without a domain: worked examples, or pairs alone.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
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

// is_kept(pair): whether it is kept for validation.
template <class IsKept>
SolverPairs split(std::span<const data::TaughtPair> taught, std::uint64_t seed,
                  const IsKept& is_kept) {
  std::vector<const data::TaughtPair*> order;
  for (const data::TaughtPair& pair : taught) order.push_back(&pair);
  Rng(seed).shuffle(order);
  SolverPairs pairs;
  for (const data::TaughtPair* pair : order) {
    const bool kept = is_kept(*pair);
    (kept ? pairs.valid : pairs.train)
        .add(pair->text, pair->value.value_or(""), pair->value ? 1 : PairList::kFinalGroup);
    if (!kept) pairs.met.push_back(pair->times);
  }
  pairs.unseen = pairs.valid;
  return pairs;
}

// Calls take(text, value) for each leaf, and take(formula, nullptr) for each final formula.
template <class Take>
void for_each_answer(const std::vector<data::RewriteExample>& examples, const Take& take) {
  for (const data::RewriteExample& example : examples) {
    if (example.final) take(std::string_view(example.formula), nullptr);
    for (const Step& step : example.steps) take(step.leaf.of(example.formula), &step.value);
  }
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
    std::vector<bool> held_out(examples_.size());
    for (const auto* numbers : {&in_distribution_, &out_of_distribution_}) {
      for (const std::size_t i : *numbers) held_out[i] = true;
    }
    std::map<int, std::vector<std::size_t>> by_difficulty;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      if (!held_out[i]) by_difficulty[difficulty(examples_[i])].push_back(i);
    }
    for (auto& entry : by_difficulty) groups_.push_back(std::move(entry.second));
  }

  void add_characters(model::VocabularyBuilder& to) const override {
    for (const data::RewriteExample& example : examples_) {
      to.add(example.formula);
      for (const Step& step : example.steps) to.add(step.value);
    }
  }

  data::RewriteExample draw(Rng& rng, double /*progress*/) const override {
    const auto& group = groups_[rng.below(groups_.size())];
    return examples_[group[rng.below(group.size())]];
  }

  Validation<Example> validation(int count, std::uint64_t seed) const override {
    Rng rng(seed);
    const auto most = static_cast<std::size_t>(count) * groups_.size();
    const auto some = [&](std::vector<std::size_t> numbers) {
      rng.shuffle(numbers);
      numbers.resize(std::min(numbers.size(), most));
      std::vector<data::RewriteExample> chosen;
      for (const std::size_t i : numbers) chosen.push_back(examples_[i]);
      return chosen;
    };
    // In this order: both draw from the same generator.
    return {.in_distribution = some(in_distribution_),
            .out_of_distribution = some(out_of_distribution_)};
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    Answers answers;
    for_each_answer(examples_, [&](std::string_view text, const std::string* value) {
      add(answers, text, value);
    });
    // The examples have a final formula once, however many come to it.
    for_each_answer(examples_, [&](std::string_view /*text*/, const std::string* value) {
      const auto known = value == nullptr ? answers.end() : answers.find(*value);
      if (known != answers.end() && !known->second.value) ++known->second.times;
    });
    std::vector<data::TaughtPair> taught;
    for (auto& entry : answers) taught.push_back(std::move(entry.second));
    const double held_out = config_.protocol == data::Protocol::kPaper ? config_.held_out : 0;
    return split(taught, seed,
                 [&](const data::TaughtPair& pair) { return is_held_out(pair.text, held_out); });
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
  }

  // Where all leaves are learnt, no more is kept back than is needed to measure: the Selector needs
  // formulas that are longer than what it sees of them, and these are the longest.
  std::size_t held_out_count(std::size_t examples) const {
    const auto share = static_cast<std::size_t>(config_.held_out * static_cast<double>(examples));
    const auto enough = static_cast<std::size_t>(config_.valid_formulas);
    const bool all = config_.protocol == data::Protocol::kFull;
    return std::clamp<std::size_t>(all ? std::min(share, enough) : share, 1, examples / 3);
  }

  using Answers = std::map<std::string, data::TaughtPair, std::less<>>;  // by their text

  static void add(Answers& answers, std::string_view text, const std::string* value) {
    const auto given = value == nullptr ? std::nullopt : std::optional(*value);
    const data::TaughtPair first{.text = std::string(text), .value = given, .times = 0};
    data::TaughtPair& known = answers.try_emplace(first.text, first).first->second;
    ++known.times;
    if (known.value == given) return;
    const auto name = [](const auto& v) { return v ? "\"" + *v + "\"" : "final"; };
    throw Error(ErrorKind::kInput, "the examples contradict each other: \"" + first.text +
                                       "\" is " + name(known.value) + " and " + name(given));
  }

  std::vector<data::RewriteExample> examples_;  // shortest first
  recipe::DataConfig config_;
  std::vector<std::size_t> in_distribution_;      // kept back: some of any length
  std::vector<std::size_t> out_of_distribution_;  // kept back: the longest
  std::vector<std::vector<std::size_t>> groups_;
};

// The longest of some texts.
struct Longest {
  std::string_view text;
  std::size_t tokens = 0;

  void add(std::string_view other, const model::TokenRules& rules) {
    if (other.size() <= tokens) return;  // no more tokens than bytes
    const std::size_t size = rules.split(other).size();
    if (size > tokens) *this = {other, size};
  }
  std::string shown() const { return fmt::format("'{}', has {} tokens", excerpt(text), tokens); }
};

bool counts_positions(nn::Positions positions) {
  return positions == nn::Positions::kLearned || positions == nn::Positions::kSinusoid;
}

}  // namespace

SolverPairs split_pairs(std::span<const data::TaughtPair> taught, double held_out,
                        std::uint64_t seed) {
  return split(taught, seed, [&](const data::TaughtPair& pair) {
    return pair.value && is_held_out(pair.text, held_out);
  });
}

std::unique_ptr<ExampleSource> make_list_source(std::vector<data::RewriteExample> examples,
                                                const recipe::DataConfig& config) {
  return std::make_unique<ListSource>(std::move(examples), config);
}

// A span that is longer than the reach is not taken for a leaf: its beginning cannot see its end.
void check_examples(const nn::SelectorConfig& config,
                    const std::vector<data::RewriteExample>& examples,
                    const std::function<void(const std::string&)>& warn) {
  const std::optional<int> radius = nn::receptive_radius(config.encoder);
  if (!radius) return;
  const model::TokenRules rules(config.token_rules);
  const auto reach = static_cast<std::size_t>(*radius) + 1;
  Longest leaf;
  Longest final;
  for_each_answer(examples, [&](std::string_view text, const std::string* value) {
    (value == nullptr ? final : leaf).add(text, rules);
  });
  if (leaf.tokens > reach) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the longest leaf, {}, but the Selector finds none longer than {}",
                            leaf.shown(), reach),
                fmt::format("the sum of selector.encoder.dilations must be at least {}",
                            (leaf.tokens + static_cast<std::size_t>(config.encoder.window) - 1) /
                                static_cast<std::size_t>(config.encoder.window)));
  }
  if (final.tokens > reach && warn) {
    warn(
        fmt::format("the longest final formula, {}, but the Selector sees only {}: the model will "
                    "not know that formulas of more than {} are final",
                    final.shown(), reach, reach));
  }
}

void check_examples(const nn::SolverConfig& config,
                    const std::vector<data::RewriteExample>& examples) {
  const model::TokenRules rules(config.token_rules);
  Longest leaf;
  Longest value;
  for_each_answer(examples, [&](std::string_view text, const std::string* its_value) {
    leaf.add(text, rules);
    if (its_value != nullptr) value.add(*its_value, rules);
  });
  const auto most = static_cast<std::size_t>(config.encoder.max_positions);
  if (counts_positions(config.encoder.positions) && leaf.tokens > most) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the longest leaf or final formula, {}, but the Solver reads only {}",
                            leaf.shown(), most),
                fmt::format("set solver.encoder.max_positions to {}", leaf.tokens));
  }
  const auto written = static_cast<std::size_t>(config.decoder.max_length) - 1;  // and its end
  if (value.tokens > written) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("the longest value, {}, but the Solver writes only {}", value.shown(), written),
        fmt::format("set solver.decoder.max_length to {}", value.tokens + 1));
  }
}

void check_final_examples(const std::vector<data::RewriteExample>& examples) {
  const auto is_final = [](const data::RewriteExample& example) { return example.final; };
  if (examples.empty() || std::any_of(examples.begin(), examples.end(), is_final)) return;
  throw Error(ErrorKind::kInput, "no example is final: the model could not learn when to stop",
              "add the formulas at which rewriting ends, with \"final\": true, or in CSV with an "
              "empty next");
}

}  // namespace nrs::learn

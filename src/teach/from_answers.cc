// A text system from questions and answers only.
//
// A short question is a leaf. And: a range is a leaf exactly where putting its own answer in its
// place never changes the answer of the whole. So questions are taken by length. In each, ranges
// that look like a known leaf are replaced by their values; what the system learned so far makes of
// the rest is a vote for or against a leaf between these neighbours. What cannot be explained by
// leaves inside of it is a new kind of leaf. Some of the answers may be wrong: how many is read off
// questions that are asked more than once.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "nrs/error.h"
#include "teach/answer_learner.h"
#include "teach/hypotheses.h"

namespace nrs::teach {
namespace {

// If hardly any answer is wrong, few votes are enough.
constexpr Standard kClean{.least = 10, .tolerance = 0.02};
constexpr double kHardlyAny = 0.015;

bool explains(const TextSystem& system, std::uint64_t percent) {
  return system.explained * 100 >= system.steps * percent;
}

// The share of wrong answers, by questions that are asked more than once; nothing if there are too
// few of these.
std::optional<double> noise_of(std::span<const examples::Example> examples) {
  constexpr std::uint64_t kEnough = 200;
  std::unordered_map<std::string_view, std::map<std::string_view, std::uint64_t>> asked;
  for (const examples::Example& example : examples) {
    if (!example.complete) continue;  // what is final alone is its own answer
    asked[example.formulas[0]][example.formulas.back()] += example.times;
  }
  std::uint64_t compared = 0;
  double different = 0;
  for (const auto& [question, answers] : asked) {
    std::uint64_t all = 0, same = 0;  // same: twice the pairs that agree
    for (const auto& [answer, times] : answers) {
      all += times;
      same += times * (times - 1);
    }
    if (all < 2) continue;
    compared += all - 1;
    different +=
        static_cast<double>(all - 1) - static_cast<double>(same) / static_cast<double>(all);
  }
  if (compared < kEnough) return {};
  // Two answers differ if one of them is wrong.
  const double share = different / static_cast<double>(compared);
  return share >= 0.5 ? 0.5 : (1 - std::sqrt(1 - 2 * share)) / 2;
}

// Learns with several ideas of how many answers are wrong.
class Trials {
 public:
  Trials(Corpus& corpus, const TextOptions& options, std::optional<double> noise)
      : corpus_(corpus), options_(options), noise_(noise) {}

  // With less care, if only ways to read are compared.
  TextSystem best(bool careful) {
    if (noise_.value_or(0) < kHardlyAny) {
      take(learn_answers(corpus_, options_, {kClean}), kHardlyAny);
      if (explains(best_.system, 98)) return std::move(best_.system);
    }
    for (const double noise : levels()) {
      const Standard standard{.least = 30, .noise = noise};
      take(learn_answers(corpus_, options_, {standard}), noise);
    }
    if (careful) believe_the_rest();
    return std::move(best_.system);
  }

 private:
  // Votes lean on answers of few examples and on leaves that were met once, so more of them are
  // wrong than answers are.
  std::vector<double> levels() const {
    if (!noise_) return {0.01, 0.03, 0.06};
    const double least = std::max(*noise_, 0.005);
    return {least, 2 * least, 4 * least};
  }

  // Without the examples that contradict what was found, less has to be put up with.
  void believe_the_rest() {
    constexpr int kTimes = 3;
    for (int time = 0; time < kTimes; ++time) {
      Trust trust{.standard = {.least = 10, .noise = std::max(0.002, level_ / 4)},
                  .doubted = std::vector<bool>(corpus_.examples().size()),
                  .polished = true};
      for (const std::uint32_t example : best_.wrong) trust.doubted[example] = true;
      if (!take(learn_answers(corpus_, options_, trust), level_)) return;
    }
  }

  // Keeps what answers more, unless too much of that is wrong.
  bool take(AnswerSystem found, double noise) {
    if (best_.system.steps > 0 && !adds(found, best_) &&
        (adds(best_, found) || !fewer_wrong(found))) {
      return false;
    }
    best_ = std::move(found);
    level_ = noise;
    return true;
  }

  // Whether what a system answers beyond another one is right, noise apart.
  bool adds(const AnswerSystem& more, const AnswerSystem& less) const {
    const Standard standard{.noise = 1.5 * std::max(noise_.value_or(0.02), kHardlyAny)};
    const auto beyond = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; };
    return standard.accepts({.against = beyond(more.wrong_times, less.wrong_times),
                             .for_it = beyond(more.system.explained, less.system.explained)});
  }
  bool fewer_wrong(const AnswerSystem& found) const {
    return found.wrong_times < best_.wrong_times;
  }

  Corpus& corpus_;
  const TextOptions& options_;
  std::optional<double> noise_;
  AnswerSystem best_;
  double level_ = 0;
};

// Examples by which hypotheses are compared: some of all lengths.
std::vector<examples::Example> sample_of_answers(std::span<const examples::Example> examples) {
  constexpr std::size_t kCompared = 12'000;
  const std::size_t step = 1 + examples.size() / kCompared;
  std::vector<examples::Example> sample;
  for (std::size_t i = 0; i < examples.size(); i += step) sample.push_back(examples[i]);
  return sample;
}

Hypothesis choose(std::span<const examples::Example> examples, const TextOptions& options,
                  std::optional<double> noise) {
  const std::vector<examples::Example> sample = sample_of_answers(examples);
  std::optional<std::uint64_t> most;
  Hypothesis chosen;
  for (const Hypothesis& hypothesis : hypotheses(examples)) {
    Corpus corpus(sample, hypothesis);
    const TextSystem system = Trials(corpus, options, noise).best(false);
    if (!most || system.explained > *most) {
      most = system.explained;
      chosen = hypothesis;
    }
    if (explains(system, 85)) break;  // the rest is noise, or too few examples
  }
  return chosen;
}

// Remembers what was said: the same leaf is asked for again and again.
Solve remembering(const Solve& solve) {
  if (!solve) return {};
  const auto known =
      std::make_shared<std::unordered_map<std::string, std::optional<std::string>>>();
  return [known, solve](std::string_view leaf) {
    const auto [entry, is_new] = known->try_emplace(std::string(leaf));
    if (is_new) entry->second = solve(leaf);
    return entry->second;
  };
}

}  // namespace

TextSystem learn_from_answers(std::span<const examples::Example> examples,
                              const TextOptions& given) {
  const TextOptions options{.progress = given.progress, .solve = remembering(given.solve)};
  const std::optional<double> noise = noise_of(examples);
  Corpus corpus(examples, choose(examples, options, noise));
  TextSystem best = Trials(corpus, options, noise).best(true);
  if (best.patterns.patterns.empty()) {
    throw Error(ErrorKind::kInput, "no short question shows how longer ones are answered",
                "add questions that one step answers, such as 1+2 = 3");
  }
  return best;
}

}  // namespace nrs::teach

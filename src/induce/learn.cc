#include "induce/learn.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <unordered_map>

#include "base/rng.h"
#include "induce/audit.h"
#include "induce/question.h"
#include "induce/search.h"
#include "term/position.h"

namespace nrs::induce {
namespace {

// Rules are searched for in so many chains at first; then those are added that do not follow them.
constexpr std::size_t kFirstSample = 3000;
constexpr std::size_t kMoreChains = 600;
constexpr int kMostRounds = 8;
// Where lines may be wrong: how many contradictions a rule may have, as a fraction of its steps.
constexpr double kTolerance = 0.1;
constexpr double kMuchNoise = 0.02;
// So many lines that are surely wrong show that there are mistakes; then the doubtful ones are,
// too.
constexpr std::size_t kMistakes = 3;
constexpr int kDoubtRounds = 3;
constexpr std::size_t kOverruling = 10;
// How often steps are taken apart by what was learned so far.
constexpr int kSplitRounds = 3;
// A wrong line is worth so many symbols of rules that would be needed to explain it.
constexpr std::size_t kCostOfWrongLine = 12;
// Fewer different redexes are little ground for a variable, unless they were seen in many lines.
constexpr std::size_t kSureRedexes = 3;
constexpr std::size_t kManyLines = 6;
// A rule from fewer lines is a guess in any case.
constexpr std::size_t kSureLines = 2;

// Rules, and what they leave unexplained.
struct Theory {
  std::vector<Pair> rules;
  Strategy strategy = Strategy::kAny;
  std::vector<std::size_t> wrong;  // chains, of the sample
  std::size_t cost = 0;
};

using Refuted = Audit::Refuted;

class Learner {
 public:
  Learner(Terms& terms, std::span<const Chain> chains, const LearnOptions& options)
      : terms_(terms), chains_(chains), options_(options), in_sample_(chains.size(), 0) {}

  Learned run() {
    Theory theory;
    draw_sample();
    for (int round = 0; round < kMostRounds; ++round) {
      theory = learn_sample();
      if (!extend_sample(theory)) break;
    }
    return report(theory);
  }

 private:
  void draw_sample() {
    std::vector<std::size_t> order(chains_.size());
    std::iota(order.begin(), order.end(), 0);
    if (order.size() > kFirstSample) {
      Rng rng(options_.seed, 1);
      rng.shuffle(order);
      order.resize(kFirstSample);
      std::sort(order.begin(), order.end());
    }
    for (const std::size_t c : order) add_to_sample(c);
  }

  void add_to_sample(std::size_t c) {
    in_sample_[c] = 1;
    sample_.push_back(chains_[c]);
  }

  // Where all chains take the leftmost innermost redex, a step that rewrites two is a mistake.
  Audit audit_of(const Theory& theory) {
    const bool one = theory.strategy == Strategy::kLeftInnermost;
    return {terms_, theory.rules, one ? Audit::AtOnce::kOne : Audit::AtOnce::kSeveral};
  }

  // False if every chain outside of the sample follows the rules, or there are none.
  bool extend_sample(const Theory& theory) {
    if (sample_.size() == chains_.size()) return false;
    Audit audit = audit_of(theory);
    std::size_t added = 0;
    for (std::size_t c = 0; c < chains_.size() && added < kMoreChains; ++c) {
      if (in_sample_[c] != 0 || !audit.check(chains_[c])) continue;
      add_to_sample(c);
      ++added;
    }
    return added != 0;
  }

  // First as if all lines were right. If that leaves rules that only one line asks for, once more
  // with room for wrong lines; what needs less to be said is taken.
  Theory learn_sample() {
    Theory strict = best_of(sample_, 0);
    rate(strict);
    if (strict.wrong.empty() && !has_rule_of_few_lines(strict)) return strict;
    const std::vector<Chain> kept = without_wrong_lines();
    if (kept.size() == sample_.size() || kept.empty()) return strict;
    Theory clean = learn_from(kept);
    // Only now the rules are exact: which lines do they really speak against?
    const std::vector<std::size_t> surely = refuted(clean, kSureRedexes, {Refuted::kElsewhere});
    const std::size_t wrong = clean.wrong.size();
    if (!surely.empty()) strict = learn_from(sample_without(surely));
    if (surely.size() >= kMistakes) {
      clean = without_doubtful(clean);
      strict = without_doubtful(strict);
      return clean.cost < strict.cost ? clean : strict;
    }
    keep_refuted(clean);
    if (clean.wrong.empty()) return strict;
    if (clean.wrong.size() != wrong) clean = learn_from(sample_without(clean.wrong));
    return clean.cost < strict.cost ? clean : strict;
  }

  // Where there are mistakes, a rule must be asked for by several lines.
  Theory without_doubtful(Theory theory) {
    for (int round = 0; round < kDoubtRounds; ++round) {
      Theory sure = theory;
      keep_confirmed(sure, kSureLines + 1);
      rate(sure);
      if (sure.wrong.size() <= theory.wrong.size()) break;
      theory = learn_from(sample_without(sure.wrong));
    }
    return theory;
  }

  Theory learn_from(std::span<const Chain> chains) {
    Theory theory = best_of(chains, 0);
    drop_overruled(theory);
    rate(theory);
    return theory;
  }

  std::vector<Chain> sample_without(const std::vector<std::size_t>& wrong) const {
    std::vector<Chain> chains = sample_;
    for (const std::size_t c : wrong) chains[c].terms.clear();
    std::erase_if(chains, [](const Chain& chain) { return chain.terms.empty(); });
    return chains;
  }

  // Lines that do not follow the rules that many lines agree on are not trusted. With the rules
  // that come out then, lines are wrong that still follow none that other lines confirm.
  std::vector<Chain> without_wrong_lines() {
    std::vector<Chain> chains = sample_;
    Theory theory = best_of(chains, kTolerance);
    keep_confirmed(theory, kSureLines);
    rate(theory);
    for (const std::size_t c : theory.wrong) chains[c].trusted = false;
    const double wrong = static_cast<double>(theory.wrong.size());
    const bool noisy = wrong > kMuchNoise * static_cast<double>(chains.size());
    theory = best_of(chains, kTolerance);
    // Where much is wrong, two wrong lines may agree by chance.
    keep_confirmed(theory, noisy ? kSureLines + 1 : kSureLines);
    drop_overruled(theory);
    rate(theory);
    keep_refuted(theory);
    return sample_without(theory.wrong);
  }

  // A line that follows no rule may be the only example of one. It is wrong if the rules would have
  // made another step; if that is so of most, the others are likely to be wrong, too.
  void keep_refuted(Theory& theory) {
    std::vector<std::size_t> lines = refuted(theory, 0, {Refuted::kThere, Refuted::kElsewhere});
    if (2 * lines.size() < theory.wrong.size()) theory.wrong = std::move(lines);
  }

  // The lines that do not follow and against which rules of so many lines speak in one of these
  // ways.
  std::vector<std::size_t> refuted(Theory theory, std::size_t least,
                                   std::initializer_list<Refuted> ways) {
    keep_confirmed(theory, least);
    Audit audit = audit_of(theory);
    const bool innermost = theory.strategy != Strategy::kAny;
    const bool leftmost = theory.strategy == Strategy::kLeftInnermost;
    std::vector<std::size_t> lines;
    for (const std::size_t c : theory.wrong) {
      const Refuted how = audit.refutes(sample_[c], innermost, leftmost);
      if (std::find(ways.begin(), ways.end(), how) != ways.end()) lines.push_back(c);
    }
    return lines;
  }

  // How many lines of the sample each rule explains a step of.
  std::vector<std::size_t> lines_of(const Theory& theory) {
    Audit audit = audit_of(theory);
    for (const Chain& chain : sample_) audit.check(chain, Audit::Count::kAlways);
    std::vector<std::size_t> lines;
    for (const Support& support : audit.support()) lines.push_back(support.lines.size());
    return lines;
  }

  void keep_confirmed(Theory& theory, std::size_t least) {
    const std::vector<std::size_t> lines = lines_of(theory);
    std::vector<Pair> kept;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i] >= least) kept.push_back(theory.rules[i]);
    }
    theory.rules = std::move(kept);
  }

  // A rule that few lines ask for, of which a rule of very many lines would have rewritten the left
  // side first, comes from mistakes.
  void drop_overruled(Theory& theory) {
    const std::vector<std::size_t> lines = lines_of(theory);
    std::vector<Pair> kept;
    for (std::size_t weak = 0; weak < lines.size(); ++weak) {
      const std::vector<Term> parts = term::distinct_subterms(terms_, theory.rules[weak].left);
      bool overruled = false;
      for (std::size_t strong = 0; strong < lines.size(); ++strong) {
        if (lines[strong] < kOverruling * lines[weak] || strong == weak) continue;
        Pattern pattern(terms_, theory.rules[strong]);
        overruled = overruled || std::any_of(parts.begin(), parts.end(),
                                             [&](Term part) { return pattern.matches(part); });
      }
      if (!overruled) kept.push_back(theory.rules[weak]);
    }
    theory.rules = std::move(kept);
  }

  bool has_rule_of_few_lines(const Theory& theory) {
    const std::vector<std::size_t> lines = lines_of(theory);
    return std::any_of(lines.begin(), lines.end(), [](std::size_t n) { return n < kSureLines; });
  }

  // Also with steps that rewrite several places at once, if there may be such.
  Theory best_of(std::span<const Chain> chains, double tolerance) {
    const Evidence single(terms_, chains);
    Theory best = search(single, tolerance);
    if (single.strategy() != Strategy::kAny || !single.has_splittable_steps()) return best;
    rate(best);
    Parallel parallel;
    parallel.split = true;
    for (int round = 0; round < kSplitRounds; ++round) {
      const Evidence split(terms_, chains, parallel);
      Theory theory = search(split, tolerance);
      rate(theory);
      parallel.known = theory.rules;
      if (theory.cost < best.cost) best = theory;
      keep_with_examples(split, parallel.known);
    }
    return best;
  }

  // Rules that enough different examples speak for.
  void keep_with_examples(const Evidence& evidence, std::vector<Pair>& rules) {
    std::erase_if(rules, [&](const Pair& rule) {
      Pattern pattern(terms_, rule);
      std::size_t count = 0;
      for (const std::uint32_t e : evidence.of_root(terms_.symbol(rule.left)).examples) {
        const Pair& example = evidence.examples()[e].pair;
        count += pattern.matches(example.left) && pattern.gives(example.right);
      }
      return count < kSureRedexes;
    });
  }

  Theory search(const Evidence& evidence, double tolerance) {
    SearchOptions options;
    options.seed = options_.seed;
    options.tolerance = tolerance;
    options.progress = [&](std::size_t rules) {
      if (options_.progress) options_.progress(std::to_string(rules) + " rules");
    };
    Theory theory;
    theory.strategy = evidence.strategy();
    for (Found& found : Search(terms_, evidence, options).run()) theory.rules.push_back(found.rule);
    return theory;
  }

  // What it takes to say everything in the sample: the rules, and the lines that do not follow.
  void rate(Theory& theory) {
    Audit audit = audit_of(theory);
    theory.wrong.clear();
    for (std::size_t c = 0; c < sample_.size(); ++c) {
      if (audit.check(sample_[c])) theory.wrong.push_back(c);
    }
    theory.cost = kCostOfWrongLine * theory.wrong.size();
    for (const Pair& rule : theory.rules)
      theory.cost += terms_.size(rule.left) + terms_.size(rule.right);
  }

  Learned report(const Theory& theory) {
    Learned learned;
    learned.strategy = theory.strategy;
    Audit audit = audit_of(theory);
    for (const Chain& chain : chains_) {
      learned.steps += chain.terms.empty() ? 0 : chain.terms.size() - 1;
      if (const auto reason = audit.check(chain))
        learned.suspicious.push_back({chain.line, *reason});
    }
    const Evidence evidence(terms_, sample_);
    Questions questions(terms_, evidence);
    for (std::size_t i = 0; i < theory.rules.size(); ++i) {
      const Support& support = audit.support()[i];
      if (support.steps == 0) continue;
      LearnedRule rule{theory.rules[i], support.steps, support.redexes.size(), support.lines};
      const bool few = !terms_.ground(rule.rule.left) && rule.redexes < kSureRedexes &&
                       rule.lines.size() < kManyLines;
      rule.guess = few || rule.lines.size() < kSureLines;
      if (rule.guess) {
        const auto first = std::min_element(support.redexes.begin(), support.redexes.end());
        rule.question = questions.deciding(rule.rule, *first);
      }
      learned.rules.push_back(std::move(rule));
    }
    std::stable_sort(learned.rules.begin(), learned.rules.end(),
                     [](const LearnedRule& a, const LearnedRule& b) { return a.steps > b.steps; });
    return learned;
  }

  Terms& terms_;
  std::span<const Chain> chains_;
  const LearnOptions& options_;
  std::vector<char> in_sample_;
  std::vector<Chain> sample_;
};

}  // namespace

Learned learn_rules(Terms& terms, std::span<const Chain> chains, const LearnOptions& options) {
  return Learner(terms, chains, options).run();
}

}  // namespace nrs::induce

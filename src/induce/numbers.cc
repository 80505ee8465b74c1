#include "induce/numbers.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "induce/audit.h"
#include "term/position.h"

namespace nrs::induce {
namespace {

// Fewer different numbers are symbols like others.
constexpr std::size_t kManyNumbers = 10;
// Larger redexes are not computed, and neither are those of fewer different numbers.
constexpr std::uint64_t kMostSymbols = 60;
constexpr std::size_t kLeastRedexes = 12;
// A place is the same in all steps, or a copy, if it is in so many: lines may be wrong.
constexpr double kMostlySame = 0.9;
// So many computed steps of each right side speak against rules that are too general.
constexpr std::size_t kWitnesses = 60;
// A right side that so few of the steps have comes from wrong lines, or is a rule of its own.
constexpr double kLeastRight = 0.01;

Symbol mark_of(Terms& terms) {
  return terms.symbol(kNumberMark, 1);
}

bool is_marked(const Terms& terms, Term term) {
  return terms.args(term).size() == 1 && terms.name(terms.symbol(term)) == kNumberMark;
}

// Every term of the chains, with its numbers marked.
class Marking {
 public:
  explicit Marking(Terms& terms) : terms_(terms), mark_(mark_of(terms)) {}

  Term marked(Term whole) {
    for (const Term part : term::distinct_subterms(terms_, whole)) {
      if (done_.contains(part)) continue;
      std::vector<Term> args;
      for (const Term arg : terms_.args(part)) args.push_back(done_.at(arg));
      Term made = args.empty() ? part : terms_.make(terms_.symbol(part), args);
      if (term::is_number(terms_, part)) made = terms_.make(mark_, {part});
      done_.emplace(part, made);
    }
    return done_.at(whole);
  }

 private:
  Terms& terms_;
  Symbol mark_;
  std::unordered_map<Term, Term> done_;
};

// The same without marks; a variable under a mark becomes one for numbers.
Term unmarked(Terms& terms, Term whole) {
  return term::rebuild(terms, whole, [&](Term part) -> std::optional<Term> {
    if (!is_marked(terms, part)) return std::nullopt;
    const Term inner = terms.arg(part, 0);
    if (!terms.is_variable(inner)) return inner;
    return terms.variable("?n" + terms.name(terms.symbol(inner)).substr(1));
  });
}

// A term with a place instead of each number, and the numbers, from the left.
struct Shape {
  Term term;
  std::vector<std::string> numbers;
};

// Of at most kMostSymbols symbols.
Shape shape_of(Terms& terms, Term whole) {
  Shape shape{whole, {}};
  std::vector<term::Position> places;
  term::for_each_subterm(terms, whole, [&](Term part, const term::Position& position) {
    if (!is_marked(terms, part)) return term::Visit::kDeeper;
    places.push_back(position);
    shape.numbers.push_back(terms.name(terms.symbol(terms.arg(part, 0))));
    return term::Visit::kPastIt;
  });
  for (std::size_t i = 0; i < places.size(); ++i) {
    shape.term = term::replace(terms, shape.term, places[i], term::number_variable(terms, i + 1));
  }
  return shape;
}

struct ComputedStep {
  std::size_t chain;
  std::size_t index;  // the step leads from this term to the next
  std::vector<std::string> left;
  std::vector<std::string> right;
};

// Steps with left sides of one shape, by the shape of their right sides.
struct Group {
  Term left{};
  std::map<std::uint32_t, std::vector<ComputedStep>> rights{};  // by number of the term
};

// What stands in a place of a right side.
struct Filling {
  enum class Kind { kConstant, kCopy, kComputed } kind = Kind::kComputed;
  std::string constant{};
  std::size_t copied = 0;

  bool fits(const ComputedStep& step, std::size_t place) const {
    if (kind == Kind::kConstant) return step.right[place] == constant;
    return kind == Kind::kComputed || step.right[place] == step.left[copied];
  }
};

template <class Fits>
bool mostly(const std::vector<ComputedStep>& steps, const Fits& fits) {
  const auto count = std::ranges::count_if(steps, fits);
  return static_cast<double>(count) >= kMostlySame * static_cast<double>(steps.size());
}

Filling filling_of(const std::vector<ComputedStep>& steps, std::size_t place) {
  Filling filling;
  const auto fits = [&](const ComputedStep& step) { return filling.fits(step, place); };
  filling.kind = Filling::Kind::kCopy;
  for (filling.copied = 0; filling.copied < steps.front().left.size(); ++filling.copied) {
    if (mostly(steps, fits)) return filling;
  }
  filling.kind = Filling::Kind::kConstant;
  filling.constant = steps[steps.size() / 2].right[place];
  if (!mostly(steps, fits)) filling.kind = Filling::Kind::kComputed;
  return filling;
}

// One right side of a rule that is being made.
struct RightSide {
  Term shape{};
  std::vector<Filling> fillings{};
  std::vector<ComputedStep> steps{};

  bool computed() const {
    return std::ranges::any_of(fillings,
                               [](const Filling& f) { return f.kind == Filling::Kind::kComputed; });
  }
  std::vector<std::string> answer(const ComputedStep& step) const {
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < fillings.size(); ++i) {
      if (fillings[i].kind == Filling::Kind::kComputed) numbers.push_back(step.right[i]);
    }
    return numbers;
  }
  bool fits(const ComputedStep& step) const {
    for (std::size_t i = 0; i < fillings.size(); ++i) {
      if (!fillings[i].fits(step, i)) return false;
    }
    return true;
  }
};

class Taking {
 public:
  Taking(Terms& terms, std::vector<Chain>& chains) : terms_(terms), chains_(chains) {}

  std::vector<LearnedNumberRule> run() {
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      taken_.emplace_back(chains_[c].terms.size(), 0);
      for (std::size_t i = 0; i + 1 < chains_[c].terms.size(); ++i) read_step(c, i);
    }
    std::vector<LearnedNumberRule> rules;
    for (const auto& entry : groups_) {
      if (auto rule = rule_of(entry.second)) rules.push_back(std::move(*rule));
    }
    std::ranges::stable_sort(rules, std::greater<>(),
                             [](const LearnedNumberRule& r) { return r.support.steps; });
    cut_chains();
    return rules;
  }

 private:
  // The lowest node that covers all differences, but no bare number.
  std::optional<Pair> changed(Pair pair) const {
    while (true) {
      const std::vector<Pair> below = differing_args(terms_, pair);
      if (below.size() != 1 || is_marked(terms_, below.front().left)) break;
      pair = below.front();
    }
    const bool small = terms_.size(pair.left) <= kMostSymbols &&
                       terms_.size(pair.right) <= kMostSymbols && pair.left != pair.right;
    return small ? std::optional(pair) : std::nullopt;
  }

  void read_step(std::size_t c, std::size_t i) {
    const auto pair = changed({chains_[c].terms[i], chains_[c].terms[i + 1]});
    if (!pair || is_marked(terms_, pair->left)) return;
    Shape left = shape_of(terms_, pair->left);
    if (left.numbers.empty()) return;
    Shape right = shape_of(terms_, pair->right);
    Group& group = groups_[number(left.term)];
    group.left = left.term;
    group.rights[number(right.term)].push_back(
        {c, i, std::move(left.numbers), std::move(right.numbers)});
  }

  static std::size_t different_redexes(const std::vector<ComputedStep>& steps) {
    std::set<std::vector<std::string>> different;
    for (const ComputedStep& step : steps) different.insert(step.left);
    return different.size();
  }

  std::vector<RightSide> right_sides(const Group& group) {
    std::size_t all = 0;
    for (const auto& [shape, steps] : group.rights) all += steps.size();
    std::vector<RightSide> sides;
    for (const auto& [shape, steps] : group.rights) {
      const bool rare = static_cast<double>(steps.size()) < kLeastRight * static_cast<double>(all);
      if (rare || different_redexes(steps) < 2) continue;
      RightSide side{static_cast<Term>(shape), {}, steps};
      for (std::size_t i = 0; i < steps.front().right.size(); ++i) {
        side.fillings.push_back(filling_of(steps, i));
      }
      std::erase_if(side.steps, [&](const ComputedStep& step) { return !side.fits(step); });
      sides.push_back(std::move(side));
    }
    return sides;
  }

  // Something has to be computed: a number, or which of several constants is the result.
  bool worth_it(const std::vector<RightSide>& sides) const {
    if (sides.empty() || sides.size() > term::NumberRule::kMostRights) return false;
    std::size_t redexes = 0;
    for (const RightSide& side : sides) redexes += different_redexes(side.steps);
    if (redexes < kLeastRedexes) return false;
    const bool constants = std::ranges::all_of(sides, [&](const RightSide& side) {
      return terms_.args(side.shape).empty() && side.fillings.empty();
    });
    return (constants && sides.size() > 1) ||
           std::ranges::any_of(sides, [](const RightSide& side) { return side.computed(); });
  }

  Term right_of(const RightSide& side) {
    std::size_t places = 0;
    // From the last place on: the names of places and of variables overlap.
    std::unordered_map<Term, Term> fill;
    for (std::size_t i = 0; i < side.fillings.size(); ++i) {
      const Filling& filling = side.fillings[i];
      const Term place = term::number_variable(terms_, i + 1);
      fill.emplace(place, filling.kind == Filling::Kind::kConstant
                              ? terms_.constant(filling.constant)
                          : filling.kind == Filling::Kind::kCopy
                              ? term::number_variable(terms_, filling.copied + 1)
                              : term::computed_place(terms_, ++places));
    }
    return term::rebuild(terms_, side.shape, [&](Term part) -> std::optional<Term> {
      const auto found = fill.find(part);
      return found == fill.end() ? std::nullopt : std::optional(found->second);
    });
  }

  std::optional<LearnedNumberRule> rule_of(const Group& group) {
    const std::vector<RightSide> sides = right_sides(group);
    if (!worth_it(sides)) return std::nullopt;
    LearnedNumberRule made{{group.left, {}}, {}, {}};
    for (const RightSide& side : sides) made.rule.rights.push_back(right_of(side));
    for (std::size_t s = 0; s < sides.size(); ++s) {
      add_witnesses(sides[s].steps);
      for (const ComputedStep& step : sides[s].steps) {
        const std::string answer = term::answer_of(s, sides.size(), sides[s].answer(step));
        TaughtAnswer& known =
            made.answers.try_emplace(step.left, TaughtAnswer{answer}).first->second;
        if (known.answer != answer) continue;  // one of the two is wrong; the first is kept
        ++known.times;
        ++made.support.steps;
        taken_[step.chain][step.index] = 1;
        const std::uint32_t line = chains_[step.chain].line;
        if (made.support.lines.empty() || made.support.lines.back() != line) {
          made.support.lines.push_back(line);
        }
      }
    }
    std::ranges::sort(made.support.lines);
    const auto repeated = std::ranges::unique(made.support.lines);
    made.support.lines.erase(repeated.begin(), repeated.end());
    made.support.redexes = made.answers.size();
    return made;
  }

  // Spread over all of the steps.
  void add_witnesses(const std::vector<ComputedStep>& steps) {
    const std::size_t stride = steps.size() / kWitnesses + 1;
    for (std::size_t i = 0; i < steps.size(); i += stride) {
      const Chain& chain = chains_[steps[i].chain];
      Chain witness{{chain.terms[steps[i].index], chain.terms[steps[i].index + 1]},
                    /*complete=*/false,
                    chain.line};
      if (!chain.positions.empty()) witness.positions = {chain.positions[steps[i].index]};
      witness.explained = true;
      witnesses_.push_back(std::move(witness));
    }
  }

  // What is before a computed step goes on; what comes after it is a chain of its own.
  void cut_chains() {
    std::vector<Chain> pieces;
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      const Chain& chain = chains_[c];
      std::size_t begin = 0;
      for (std::size_t i = 0; i < chain.terms.size(); ++i) {
        const bool last = i + 1 == chain.terms.size();
        if (!last && taken_[c][i] == 0) continue;
        add_piece(chain, begin, i + 1, last, pieces);
        begin = i + 1;
      }
    }
    pieces.insert(pieces.end(), std::make_move_iterator(witnesses_.begin()),
                  std::make_move_iterator(witnesses_.end()));
    chains_ = std::move(pieces);
  }

  static void add_piece(const Chain& chain, std::size_t begin, std::size_t end, bool last,
                        std::vector<Chain>& pieces) {
    const bool complete = last && chain.complete;
    if (end - begin < 2 && !complete) return;  // it says nothing
    Chain piece{{}, complete, chain.line, {}, chain.trusted, chain.explained};
    piece.terms.assign(chain.terms.begin() + static_cast<std::ptrdiff_t>(begin),
                       chain.terms.begin() + static_cast<std::ptrdiff_t>(end));
    if (!chain.positions.empty()) {
      piece.positions.assign(chain.positions.begin() + static_cast<std::ptrdiff_t>(begin),
                             chain.positions.begin() + static_cast<std::ptrdiff_t>(end - 1));
    }
    pieces.push_back(std::move(piece));
  }

  Terms& terms_;
  std::vector<Chain>& chains_;
  std::map<std::uint32_t, Group> groups_;  // by number of the left shape
  std::vector<std::vector<char>> taken_;   // steps of each chain
  std::vector<Chain> witnesses_;
};

bool has_number_variable(const Terms& terms, Term left) {
  return std::ranges::any_of(term::variables_of(terms, left), [&](Symbol variable) {
    return term::is_number_variable(terms.name(variable));
  });
}

// Rules without marks, apart from those that are about numbers.
void part_rules(Terms& terms, LearnedSystem& system) {
  std::vector<LearnedRule> plain;
  std::vector<LearnedNumberRule> about_numbers;
  for (LearnedRule& rule : system.learned.rules) {
    rule.rule = {unmarked(terms, rule.rule.left), unmarked(terms, rule.rule.right)};
    if (rule.question) rule.question = unmarked(terms, *rule.question);
    if (has_number_variable(terms, rule.rule.left)) {
      about_numbers.push_back({{rule.rule.left, {rule.rule.right}}, std::move(rule), {}});
    } else {
      plain.push_back(std::move(rule));
    }
  }
  system.learned.rules = std::move(plain);
  // Those that compute are asked last: the others are exact.
  about_numbers.insert(about_numbers.end(), std::make_move_iterator(system.number_rules.begin()),
                       std::make_move_iterator(system.number_rules.end()));
  system.number_rules = std::move(about_numbers);
}

}  // namespace

bool mark_numbers(ChainFile& file) {
  std::unordered_set<Symbol> numbers;
  for (std::uint32_t s = 0; s < file.terms.symbol_count(); ++s) {
    const auto symbol = static_cast<Symbol>(s);
    if (file.terms.arity(symbol) == 0 && !file.terms.is_variable(symbol) &&
        term::is_number(file.terms.name(symbol))) {
      numbers.insert(symbol);
    }
  }
  if (numbers.size() < kManyNumbers || file.terms.has_symbol(kNumberMark, 1)) return false;
  Marking marking(file.terms);
  for (Chain& chain : file.chains) {
    for (Term& term : chain.terms) term = marking.marked(term);
  }
  return true;
}

std::vector<LearnedNumberRule> take_computed(Terms& terms, std::vector<Chain>& chains) {
  return Taking(terms, chains).run();
}

LearnedSystem learn_system(ChainFile& file, const LearnOptions& options) {
  LearnedSystem system;
  if (!mark_numbers(file)) {
    system.learned = learn_rules(file.terms, file.chains, options);
    return system;
  }
  std::vector<Chain> rest = file.chains;
  system.number_rules = take_computed(file.terms, rest);
  system.learned = learn_rules(file.terms, rest, options);
  system.learned.steps = 0;  // those that were taken out count, too
  for (const Chain& chain : file.chains) system.learned.steps += chain.terms.size() - 1;
  part_rules(file.terms, system);
  return system;
}

double share_of_new_questions(const std::vector<LearnedNumberRule>& rules) {
  std::uint64_t once = 0, all = 0;
  for (const LearnedNumberRule& rule : rules) {
    for (const auto& [numbers, taught] : rule.answers) {
      once += taught.times == 1 ? 1 : 0;
      all += taught.times;
    }
  }
  return all == 0 ? 0 : static_cast<double>(once) / static_cast<double>(all);
}

}  // namespace nrs::induce

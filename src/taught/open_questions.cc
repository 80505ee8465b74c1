#include "taught/open_questions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "nrs/error.h"
#include "taught/neighbourhoods.h"

namespace nrs::taught {
namespace {

constexpr std::size_t kMostLeaves = 3000;  // of which other atoms are tried
constexpr std::size_t kMostAtoms = 40;     // in each place
constexpr std::size_t kMostAsked = 4000;   // of each kind; the likeliest

// A formula that the model may not be able to answer, and what would be missing then.
struct Candidate {
  std::string formula;
  Missing missing;
  std::string why;
  double weight = 0;  // how often such a thing may be met
};

class Search {
 public:
  Search(const Rewriter& rewriter, const Neighbourhoods& around)
      : rewriter_(rewriter), around_(around) {
    for (const std::string& final : around.finals()) {
      const auto tokens = around.lexer().tokens(final);
      if (tokens.size() == 1) atoms_.emplace(tokens[0]);
    }
    for (const UsedLeaf& leaf : around.leaves()) {
      Form& form = forms_[form_of(leaf.leaf)];
      form.times += static_cast<double>(leaf.times);
      form.left.insert(class_of(leaf.left));
      form.right.insert(class_of(leaf.right));
      form.leaves.insert(leaf.leaf);
      all_ += static_cast<double>(leaf.times);
    }
  }

  OpenQuestions run(std::size_t most) {
    add_finals();
    add_other_atoms();
    add_neighbours();
    return choose(most);
  }

 private:
  struct Form {
    double times = 0;
    std::set<std::string> left, right;  // classes of what was met beside it
    std::set<std::string> leaves;
  };

  // Numbers are alike, and so are tokens that are final formulas.
  std::string class_of(std::string_view token) const {
    if (text::is_number(token)) return std::string("<number>");
    return atoms_.contains(token) ? std::string("<value>") : std::string(token);
  }
  std::string form_of(std::string_view leaf) const {
    std::vector<std::string> classes;
    for (const std::string_view token : around_.lexer().tokens(leaf)) {
      classes.push_back(class_of(token));
    }
    return fmt::format("{}", fmt::join(classes, " "));
  }
  static std::string shown(std::string_view neighbour, const char* end) {
    return neighbour == kBeyond ? end : std::string(neighbour);
  }

  // Of two formulas that ask the same the shorter one is kept.
  void add(Candidate candidate) {
    const auto [place, is_new] = found_.emplace(candidate.why, candidate);
    if (is_new) return;
    place->second.weight = std::max(place->second.weight, candidate.weight);
    if (candidate.formula.size() < place->second.formula.size()) {
      place->second.formula = std::move(candidate.formula);
    }
  }

  void add_finals() {
    std::map<std::string, double> values;
    for (const UsedLeaf& leaf : around_.leaves()) {
      values[leaf.value] += static_cast<double>(leaf.times);
    }
    for (const auto& [value, times] : values) {
      const bool single = around_.lexer().tokens(value).size() == 1;
      if (!single || around_.finals().contains(value)) continue;
      add({value, Missing::kFinal, fmt::format("{} alone", value), times / all_});
    }
  }

  // The atoms that stand in a place of a form, in all its leaves.
  using Places = std::map<std::pair<std::string, std::size_t>, std::set<std::string>>;

  void add_other_atoms() {
    Places places;
    for (const UsedLeaf& leaf : around_.leaves()) {
      const auto tokens = around_.lexer().tokens(leaf.leaf);
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string kind = class_of(tokens[i]);
        if (kind == tokens[i]) continue;
        std::set<std::string>& atoms = places[{form_of(leaf.leaf), i}];
        atoms.emplace(tokens[i]);
        if (kind == "<value>") atoms.insert(atoms_.begin(), atoms_.end());
      }
    }
    std::size_t leaves = 0;
    for (const auto& [name, form] : forms_) {
      for (const std::string& leaf : form.leaves) {
        if (++leaves <= kMostLeaves) add_other_atoms(name, form, leaf, places);
      }
    }
  }

  void add_other_atoms(const std::string& name, const Form& form, const std::string& leaf,
                       const Places& places) {
    const std::vector<Span> tokens = around_.lexer().cut(leaf);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto atoms = places.find({name, i});
      if (atoms == places.end() || atoms->second.size() > kMostAtoms) continue;
      for (const std::string& atom : atoms->second) {
        const std::string other = replace_part(leaf, tokens[i], atom);
        if (form.leaves.contains(other)) continue;
        const double weight = form.times / all_ / static_cast<double>(form.leaves.size());
        add({in_context(form, other), Missing::kLeaf, other, weight});
      }
    }
  }

  // A leaf alone if such leaves were met alone, else where the shortest formula has one like it.
  std::string in_context(const Form& form, const std::string& leaf) const {
    if (form.left.contains(std::string(kBeyond)) && form.right.contains(std::string(kBeyond))) {
      return leaf;
    }
    for (const KnownFormula& known : around_.formulas()) {
      for (const std::string& other : form.leaves) {
        const std::size_t at = known.formula.find(other);
        if (at == std::string::npos) continue;
        return replace_part(known.formula, {at, at + other.size()}, leaf);
      }
    }
    return leaf;
  }

  void add_neighbours() {
    constexpr std::size_t kMostFormulas = 2000;
    std::set<std::tuple<std::string, std::string, std::string>> done;
    const std::size_t count = std::min(around_.formulas().size(), kMostFormulas);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& formula = around_.formulas()[i].formula;
      around_.visit_places(formula, [&](const ValuePlace& place, const UsedLeaf& leaf) {
        const std::string name = form_of(leaf.leaf);
        const std::string left = class_of(place.left), right = class_of(place.right);
        // The first formula with this context is the shortest.
        if (!done.emplace(name, left, right).second) return;
        add_neighbour(name, left, right, replace_part(formula, place.span, leaf.leaf));
      });
    }
  }

  void add_neighbour(const std::string& name, const std::string& left, const std::string& right,
                     std::string formula) {
    const Form& form = forms_.at(name);
    const bool new_left = !form.left.contains(left), new_right = !form.right.contains(right);
    std::string why = name;
    if (new_left || !new_right) why += " after " + shown(left, "<start>");
    if (new_right || !new_left) why += " before " + shown(right, "<end>");
    add({std::move(formula), Missing::kNeighbour, std::move(why), form.times / all_});
  }

  // Whether the model stops at it, and because of what would be missing: a leaf without a value
  // says nothing about neighbours.
  bool refused(const Candidate& candidate) const {
    try {
      const Result result = rewriter_.rewrite(rewriter_.canonical(candidate.formula));
      const bool value = result.stop == Stop::kUnknownLeaf || result.stop == Stop::kLowConfidence;
      return !result.ok() && (candidate.missing == Missing::kLeaf || !value);
    } catch (const Error&) {
      return true;
    }
  }

  OpenQuestions choose(std::size_t most) {
    std::vector<const Candidate*> sorted;
    for (const auto& [why, candidate] : found_) sorted.push_back(&candidate);
    std::ranges::stable_sort(sorted, [](const Candidate* a, const Candidate* b) {
      return std::pair(-a->weight, a->formula.size()) < std::pair(-b->weight, b->formula.size());
    });
    if (sorted.size() > kMostAsked) sorted.resize(kMostAsked);
    OpenQuestions questions;
    std::set<std::string> asked;
    for (const Candidate* candidate : sorted) {
      if (!refused(*candidate)) continue;
      ++(candidate->missing == Missing::kLeaf        ? questions.leaves
         : candidate->missing == Missing::kNeighbour ? questions.neighbours
                                                     : questions.finals);
      if (questions.ask.size() < most && asked.insert(candidate->formula).second) {
        questions.ask.push_back({candidate->formula, candidate->missing, candidate->why});
      }
    }
    return questions;
  }

  const Rewriter& rewriter_;
  const Neighbourhoods& around_;
  std::set<std::string, std::less<>> atoms_;  // single tokens that are final
  std::map<std::string, Form> forms_;
  double all_ = 0;                          // leaves that were rewritten
  std::map<std::string, Candidate> found_;  // by what would be missing
};

}  // namespace

OpenQuestions open_questions(const Rewriter& rewriter, std::span<const examples::Example> examples,
                             std::size_t most) {
  const Neighbourhoods around(rewriter, examples);
  return Search(rewriter, around).run(most);
}

std::string to_text(const OpenQuestions& questions) {
  if (questions.ask.empty()) return {};
  std::vector<std::string> parts;
  const auto part = [&](std::size_t count, const char* one, const char* several) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, count == 1 ? one : several));
  };
  part(questions.leaves, "leaf", "leaves");
  part(questions.neighbours, "neighbour of a leaf", "neighbours of leaves");
  part(questions.finals, "final formula", "final formulas");
  std::string text =
      fmt::format("never seen: {}; show me what becomes of\n", fmt::join(parts, ", "));
  std::size_t widest = 0;
  for (const OpenQuestion& question : questions.ask) {
    widest = std::max(widest, std::min<std::size_t>(question.formula.size(), 50));
  }
  for (const OpenQuestion& question : questions.ask) {
    text += fmt::format("  {:<{}}   ({})\n", question.formula, widest, excerpt(question.why, 60));
  }
  return text;
}

}  // namespace nrs::taught

#include "examples/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "nrs/error.h"
#include "term/source.h"

namespace nrs::examples {
namespace {

using term::Notation;

constexpr std::array<Notation, 3> kNotations{Notation::kFunctional, Notation::kSexpr,
                                             Notation::kInfix};
constexpr std::size_t kFewExamples = 60;     // to find out the notation
constexpr std::size_t kFreshStore = 20'000;  // formulas that share a store, to bound its memory
constexpr std::size_t kEnough = 100'000;     // examples; of more, some are tried, evenly spread
constexpr double kMostOthers = 0.05;
constexpr std::size_t kAlwaysTried = 200;  // formulas before it is given up

std::string without_blanks(std::string_view text) {
  std::string dense;
  std::copy_if(text.begin(), text.end(), std::back_inserter(dense),
               [](char c) { return c != ' ' && c != '\t'; });
  return dense;
}

// Whether an infix formula has all its brackets; those around the whole may be missing.
bool has_all_brackets(const term::Terms& terms, term::Term term, std::string_view formula) {
  const std::string printed = term::to_string(terms, term, Notation::kInfix);
  const std::string dense = without_blanks(formula);
  return printed == dense || printed == "(" + dense + ")";
}

// Examples that are spread evenly over all.
std::vector<Example> spread(std::span<const Example> examples, std::size_t count) {
  std::vector<Example> few;
  count = std::min(count, examples.size());
  for (std::size_t i = 0; i < count; ++i) few.push_back(examples[i * examples.size() / count]);
  return few;
}

// Counts what formulas are in one notation.
class Trial {
 public:
  explicit Trial(Notation notation) : notation_(notation) {}

  void take(const std::string& formula, std::uint32_t line) {
    if (formulas_++ % kFreshStore == 0) {
      terms_ = std::make_unique<term::Terms>();
      reader_.emplace(*terms_, notation_);
      symbols_ = 0;
    }
    try {
      const term::Term term = reader_->read(formula);
      if (two_arities_.empty()) find_two_arities(line);
      with_arguments_ = with_arguments_ || terms_->arity(terms_->symbol(term)) > 0;
      if (notation_ == Notation::kInfix && !has_all_brackets(*terms_, term, formula)) {
        add_other(line, formula);
      }
    } catch (const Error&) {
      add_other(line, formula);
    }
  }

  bool failed() const {
    const auto formulas = static_cast<double>(std::max(formulas_, kAlwaysTried));
    return static_cast<double>(others_) > kMostOthers * formulas;
  }

  TermsOrText result() const {
    const auto formulas = static_cast<double>(formulas_);
    if (static_cast<double>(others_) > kMostOthers * formulas) return {.why = first_other_};
    if (!two_arities_.empty()) return {.why = two_arities_};
    if (!with_arguments_) return {.why = "no formula has arguments"};
    const bool infix = notation_ == Notation::kInfix;
    return {infix ? Likely::kEither : Likely::kTerms, notation_,
            infix ? "infix with all brackets" : std::string(enum_name(notation_))};
  }

 private:
  // Rules know no symbol with several numbers of arguments.
  void find_two_arities(std::uint32_t line) {
    for (; symbols_ < terms_->symbol_count(); ++symbols_) {
      const auto symbol = static_cast<term::Symbol>(symbols_);
      const std::size_t arity = terms_->arity(symbol);
      const auto [known, is_new] = arities_.emplace(terms_->name(symbol), arity);
      if (is_new || known->second == arity) continue;
      two_arities_ = fmt::format("line {}: {} has {} arguments, elsewhere {}", line, known->first,
                                 arity, known->second);
    }
  }

  void add_other(std::uint32_t line, std::string_view formula) {
    if (others_++ == 0)
      first_other_ = fmt::format("line {}: {} is not a term", line, excerpt(formula));
  }

  Notation notation_;
  std::unique_ptr<term::Terms> terms_;
  std::optional<TermReader> reader_;
  std::size_t formulas_ = 0;
  std::size_t others_ = 0;
  std::string first_other_;
  bool with_arguments_ = false;
  std::map<std::string, std::size_t, std::less<>> arities_;
  std::uint32_t symbols_ = 0;  // of the store, that were looked at
  std::string two_arities_;
};

}  // namespace

TermReader::TermReader(term::Terms& terms, Notation notation)
    : terms_(terms), options_(term::lexer_options(notation)), notation_(notation) {
  options_.arrows = false;
  options_.comment = 0;
}

term::Term TermReader::read(std::string_view formula) {
  if (formula.empty()) throw Error(ErrorKind::kInput, "a term is missing");
  const term::Source source(formula, "");
  term::Lexer lexer(source, options_);
  const term::Term term = parse_term(
      terms_, lexer, notation_,
      [&](const term::Token& name, std::size_t arity) { return terms_.symbol(name.text, arity); });
  lexer.expect(term::TokenKind::kEnd, "an arrow or the end of the line");
  return term;
}

Notation likeliest_notation(std::span<const Example> examples) {
  using Misfit = std::tuple<std::size_t, bool, std::size_t>;
  Notation best = Notation::kFunctional;
  Misfit least{std::numeric_limits<std::size_t>::max(), true, 0};
  for (const Notation notation : kNotations) {
    term::Terms terms;
    TermReader reader(terms, notation);
    std::size_t unread = 0;
    bool flat = true;
    for (const Example& example : examples) {
      try {
        for (const std::string& formula : example.formulas) {
          flat = terms.arity(terms.symbol(reader.read(formula))) == 0 && flat;
        }
      } catch (const Error&) {
        ++unread;
      }
    }
    const Misfit misfit{unread, flat, unread == 0 ? terms.symbol_count() : 0};
    if (misfit < least) {
      least = misfit;
      best = notation;
    }
  }
  return best;
}

TermsOrText terms_or_text(std::span<const Example> examples, const Progress& progress) {
  if (examples.empty()) return {};
  Trial trial(likeliest_notation(spread(examples, kFewExamples)));
  const std::size_t stride = 1 + examples.size() / kEnough;
  std::size_t tried = 0;
  for (std::size_t i = 0; i < examples.size() && !trial.failed(); i += stride) {
    for (const std::string& formula : examples[i].formulas) trial.take(formula, examples[i].line);
    if (progress && ++tried % kProgressEvery == 0) progress("examples read as terms", i);
  }
  return trial.result();
}

}  // namespace nrs::examples

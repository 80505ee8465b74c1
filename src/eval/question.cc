#include "eval/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "data/csv.h"
#include "nrs/error.h"

namespace nrs::eval {
namespace {

// Bracket depth of a text of any system.
int depth_of(std::string_view text) {
  int depth = 0;
  int most = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') most = std::max(most, ++depth);
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  return most;
}

// Formulas are generated with the same number of arguments all over; of others the largest counts.
std::optional<int> args_of(const Domain& domain, std::string_view formula) {
  std::optional<int> most;
  for (const Span leaf : domain.leaves(formula)) {
    most = std::max(most.value_or(0), domain.args(leaf.of(formula)));
  }
  return most;
}

class QuestionReader {
 public:
  QuestionReader(const std::filesystem::path& path, std::span<const Domain* const> domains)
      : domains_(domains),
        csv_(path),
        formula_(csv_.require({"X", "formula"})),
        value_(csv_.require({"Y", "value"})),
        nesting_(csv_.find("nesting")),
        args_(csv_.find("num_operands")),
        domain_(csv_.find("domain")) {
    if (!args_) args_ = csv_.find("args");
  }

  void run(const TakeQuestion& take) {
    while (csv_.next(fields_)) {
      Question question;
      question.line = csv_.line();
      try {
        read_texts(question);
        read_level(question);
      } catch (const Error& error) {
        throw error.in(csv_.place());
      }
      take(std::move(question));
    }
  }

 private:
  void read_texts(Question& question) const {
    question.formula = fields_[formula_];
    question.value = fields_[value_];
    if (question.formula.size() > kMaxFormulaLength) throw formula_too_long();
    if (question.formula.empty()) throw Error(ErrorKind::kInput, "the formula is empty");
    if (question.value.empty()) throw Error(ErrorKind::kInput, "the value is empty");
    if (domains_.empty()) return;
    const ReadFormula read = read_formula(question.formula);
    question.domain = read.domain;
    question.formula = read.formula;
    try {
      question.value = read.domain->read(question.value);
    } catch (const Error& error) {
      throw error.in("value");
    }
    if (!read.domain->is_atom(question.value)) {
      throw Error(ErrorKind::kInput,
                  fmt::format("the value '{}' is not final", excerpt(question.value)));
    }
  }

  ReadFormula read_formula(const std::string& text) const {
    if (!domain_ || fields_[*domain_].empty()) return read_in_any_domain(text, domains_);
    const std::string& name = fields_[*domain_];
    const auto named = std::ranges::find(domains_, name, &Domain::name);
    if (named == domains_.end()) {
      throw Error(ErrorKind::kInput, fmt::format("domain '{}' is not one of this model's or not "
                                                 "the one asked for",
                                                 excerpt(name)));
    }
    return {*named, (*named)->read(text)};
  }

  void read_level(Question& question) const {
    const Domain* domain = question.domain;
    if (nesting_) {
      question.nesting = number(fields_[*nesting_], "nesting");
    } else {
      question.nesting =
          domain != nullptr ? domain->nesting(question.formula) : depth_of(question.formula);
    }
    if (!args_) {
      if (domain != nullptr) question.args = args_of(*domain, question.formula);
    } else if (!fields_[*args_].empty()) {
      question.args = number(fields_[*args_], "number of arguments");
    }
  }

  static int number(const std::string& text, const char* what) {
    int parsed = 0;
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, parsed);
    if (code != std::errc{} || stop != end || parsed < 0) {
      throw Error(ErrorKind::kInput, fmt::format("'{}' is not a {}", excerpt(text), what));
    }
    return parsed;
  }

  std::span<const Domain* const> domains_;
  data::CsvReader csv_;
  std::size_t formula_;
  std::size_t value_;
  std::optional<std::size_t> nesting_;
  std::optional<std::size_t> args_;
  std::optional<std::size_t> domain_;
  std::vector<std::string> fields_;
};

}  // namespace

void read_questions(const std::filesystem::path& path, std::span<const Domain* const> domains,
                    const TakeQuestion& take) {
  QuestionReader(path, domains).run(take);
}

std::size_t generate_questions(const Domain& domain, const data::LevelRequest& request,
                               data::SeenTexts& seen, const TakeQuestion& take) {
  return data::draw_level(domain, request, seen, [&](const Sample& sample, const Shape& shape) {
    take({&domain, sample.formula, sample.value, shape.nesting, shape.args, 0});
  });
}

bool right_answer(const Question& question, const std::string& answer) {
  if (answer == question.value) return true;
  if (question.domain == nullptr) return false;
  try {
    return question.domain->read(answer) == question.value;
  } catch (const Error&) {
    return false;  // a model may write anything
  }
}

}  // namespace nrs::eval

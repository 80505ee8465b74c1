#include "eval/tally.h"

namespace nrs::eval {

std::string_view name_of(ErrorClass error) {
  switch (error) {
    case ErrorClass::kMissing:
      return "missing";
    case ErrorClass::kMalformed:
      return "malformed";
    case ErrorClass::kSolver:
      return "solver";
    case ErrorClass::kOther:
      return "other";
  }
  return "unknown";
}

ErrorClass classify(const Result& result, const std::optional<FirstFault>& fault) {
  if (!fault) {
    if (result.stop == Stop::kMissing) return ErrorClass::kMissing;
    return result.stop == Stop::kMalformed ? ErrorClass::kMalformed : ErrorClass::kOther;
  }
  switch (fault->fault) {
    case Fault::kNotInFormula:
      return ErrorClass::kMissing;
    case Fault::kNotALeaf:
      return ErrorClass::kMalformed;
    case Fault::kWrongValue:
      return ErrorClass::kSolver;
    default:
      return ErrorClass::kOther;
  }
}

void Tally::add(const Tally& other) {
  formulas += other.formulas;
  answered += other.answered;
  correct += other.correct;
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] += other.errors[i];
}

Level level_of(const Question& question) {
  return {question.domain != nullptr ? std::string(question.domain->name()) : "", question.nesting,
          question.args};
}

Tally Scores::total() const {
  Tally all;
  for (const auto& [level, tally] : levels) all.add(tally);
  return all;
}

}  // namespace nrs::eval

#include "eval/subject.h"

#include "rewrite/oracle.h"

namespace nrs {

Subject Subject::of(const RunningModel& model) {
  Subject subject;
  if (model.routes()) {
    subject.router = &model.router();
    return subject;
  }
  if (model.writes()) {
    subject.writer = &model.leaf_writer();
  } else {
    subject.selector = &model.selector();
  }
  subject.solver = &model.solver();
  subject.options = model.calibrated();
  return subject;
}

Subject Subject::with_oracle_selector() const {
  Subject swapped = *this;
  if (writer != nullptr) swapped.options.leaves = Leaves::kLast;
  swapped.selector = nullptr;
  swapped.writer = nullptr;
  return swapped;
}

Subject Subject::with_oracle_solver() const {
  Subject swapped = *this;
  swapped.solver = nullptr;
  return swapped;
}

std::vector<Result> Subject::run(const Domain* domain, std::span<const std::string_view> formulas,
                                 bool keep_rounds) const {
  if (router != nullptr) return router->run(formulas, keep_rounds);
  RunOptions wanted = options;
  wanted.keep_rounds = keep_rounds;
  const auto run_with = [&](const Solver& its_solver) {
    if (writer != nullptr) return Nrs(*writer, its_solver).run(formulas, wanted);
    if (selector != nullptr) return FastNrs(*selector, its_solver).run(formulas, wanted);
    return FastNrs(OracleSelector(*domain), its_solver).run(formulas, wanted);
  };
  return solver != nullptr ? run_with(*solver) : run_with(OracleSolver(*domain));
}

}  // namespace nrs

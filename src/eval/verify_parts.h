#pragma once
// The parts of verify(); each adds to the result what it finds.
#include "eval/stages.h"
#include "eval/verify.h"

namespace nrs::eval {

void verify_solver(const VerifyRequest& request, Verification& result);
void verify_selector(const VerifyRequest& request, Verification& result);
void verify_refusals(const VerifyRequest& request, Verification& result);

inline void report_progress(const VerifyRequest& request, const Verification& so_far) {
  if (request.progress && !request.progress(so_far)) throw Interrupted{};
}

}  // namespace nrs::eval

#pragma once
// The two halves of verify(); each adds to the result what it finds.
#include "eval/verify.h"

namespace nrs {

void verify_solver(const VerifyRequest& request, Verification& result);
void verify_selector(const VerifyRequest& request, Verification& result);

inline void report_progress(const VerifyRequest& request, const Verification& so_far) {
  if (request.progress && !request.progress(so_far)) throw Interrupted{};
}

}  // namespace nrs

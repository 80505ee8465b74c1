#include "eval/verify.h"

#include "eval/verify_parts.h"

namespace nrs::eval {

bool Verification::nothing_wrong() const {
  return leaves.wrong + atoms.wrong + selector.missed + selector.extra + refusals.answered == 0;
}

Verification verify(const VerifyRequest& request) {
  Verification result;
  result.domain = request.domain;
  verify_solver(request, result);
  verify_selector(request, result);
  verify_refusals(request, result);
  return result;
}

}  // namespace nrs::eval

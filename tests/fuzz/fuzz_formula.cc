// Bytes as a formula, for each domain: what a reader accepts it accepts again unchanged, and the
// exact engine brings it to the same normal form, whichever leaves it takes first.
#include "fuzz.h"
#include "nrs/domain.h"
#include "rewrite/oracle.h"

namespace nrs {
namespace {

void check(const Domain& domain, std::string_view text) {
  std::string formula;
  try {
    formula = domain.read(text);
  } catch (const Error& error) {
    fuzz::expect(error.offset().value_or(0) <= text.size());
    return;
  }
  fuzz::expect(domain.read(formula) == formula);
  const rewrite::OracleRewriter oracle(domain);
  const Result all = oracle.rewrite(formula);
  const Result last = oracle.rewrite(formula, {.leaves = Leaves::kLast});
  // Not every formula has a value: in logic no rule rewrites (a&b).
  fuzz::expect(all.ok() || all.stop == Stop::kNoLeaf);
  fuzz::expect(last.stop == all.stop && last.formula == all.formula);
}

}  // namespace

void fuzz::check(std::string_view text) {
  for (const Domain* domain : all_domains()) nrs::check(*domain, text);
}

}  // namespace nrs

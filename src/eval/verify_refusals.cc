#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.h"
#include "base/threads.h"
#include "eval/verify_parts.h"

namespace nrs::eval {
namespace {

constexpr std::size_t kContextsPerFormula = 100;  // so many contexts of the Selector, one formula
constexpr std::size_t kFormulasAtOnce = 256;
constexpr std::uint64_t kRefusalStream = 0x7265667573616c;  // apart from the Selector's formulas

}  // namespace

void verify_refusals(const VerifyRequest& request, Verification& result) {
  if (request.contexts == 0) return;
  const Domain& domain = *request.domain;
  std::vector<std::string> texts;
  domain.for_each_valueless([&](std::string_view text) { texts.emplace_back(text); });
  if (texts.empty()) return;
  RefusalCheck& check = result.refusals;
  check.leaves = texts.size();
  check.formulas = request.contexts / kContextsPerFormula;
  const std::vector<std::string> valueless = texts;
  for (std::size_t i = 0; i < check.formulas; ++i) {
    Rng rng(mix(request.seed, kRefusalStream), i);
    texts.push_back(spoilt_formula(domain, valueless, rng));
  }
  std::vector<char> answered(texts.size());
  const std::size_t pieces = (texts.size() + kFormulasAtOnce - 1) / kFormulasAtOnce;
  parallel_for(pieces, request.threads, [&](std::size_t piece) {
    const std::size_t begin = piece * kFormulasAtOnce;
    const std::size_t end = std::min(texts.size(), begin + kFormulasAtOnce);
    const std::vector<std::string_view> views(texts.begin() + static_cast<std::ptrdiff_t>(begin),
                                              texts.begin() + static_cast<std::ptrdiff_t>(end));
    const std::vector<Result> results = request.rewriter->run(views, {});
    for (std::size_t i = 0; i < results.size(); ++i) answered[begin + i] = results[i].ok() ? 1 : 0;
  });
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (answered[i] == 0) continue;
    ++check.answered;
    if (check.first_answered.size() < kKeptFailures) check.first_answered.push_back(texts[i]);
  }
  report_progress(request, result);
}

}  // namespace nrs::eval

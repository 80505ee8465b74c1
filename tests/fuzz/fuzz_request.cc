// Bytes as what POST /v1/simplify is sent, and as the query of a target: what is read keeps within
// the limits, what is refused says why, and the quick way reads what the careful one reads.
#include "fuzz.h"
#include "serve/http.h"
#include "serve/query.h"
#include "serve/simplify_request.h"

namespace nrs {

void fuzz::check(std::string_view body) {
  serve::Limits limits;
  limits.formulas = 3;
  limits.steps = 100;
  try {
    const serve::SimplifyRequest read = serve::read_simplify_request(std::string(body), limits);
    fuzz::expect(read.formulas.size() <= limits.formulas);
    fuzz::expect(!read.max_steps || (*read.max_steps >= 1 && *read.max_steps <= limits.steps));
  } catch (const serve::Refusal& refusal) {
    fuzz::expect(refusal.status() == 400 || refusal.status() == 413);
    fuzz::expect(serve::to_response(refusal).body.starts_with("{\"error\":{\"message\":\""));
  }
  // What is read quickly is read carefully, too, and the same.
  std::string taken(body);
  if (const auto quick = serve::read_quickly(taken, limits)) {
    fuzz::expect(*quick == serve::read_carefully(body, limits));
  }
  try {
    fuzz::expect(serve::read_simplify_lines(std::string(body), {}, limits).formulas.size() <= 3);
  } catch (const serve::Refusal& refusal) {
    fuzz::expect(refusal.status() == 413);
  }
  try {
    serve::read_query(body);
  } catch (const serve::Refusal& refusal) {
    fuzz::expect(refusal.status() == 400);
  }
}

}  // namespace nrs

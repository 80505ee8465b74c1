// What the API does with formulas.
#include <algorithm>
#include <utility>

#include "serve/api.h"
#include "serve/simplify_request.h"

namespace nrs::serve {
namespace {

// Takes the body.
SimplifyRequest read_formulas(Request& request, const Limits& limits) {
  const std::string& type = request.header("content-type");
  if (type.starts_with("application/json")) {
    return read_simplify_request(std::move(request.body), limits);
  }
  if (type.starts_with("text/plain")) {
    return read_simplify_lines(std::move(request.body), request.query, limits);
  }
  throw Refusal(415, "the Content-Type is neither application/json nor text/plain",
                "curl -H 'Content-Type: application/json' sends it");
}

}  // namespace

void Api::simplify(Request& request, const Reply& reply) {
  const Limits& limits = options_.limits;
  SimplifyRequest asked = read_formulas(request, limits);
  const auto model = model_called(asked.model);
  Work work{.model = model, .formulas = std::move(asked.formulas), .form = answer_form(request)};
  work.trace = work.form == AnswerForm::kEvents || (asked.trace && work.form == AnswerForm::kList);
  const std::size_t most = work.trace ? std::min(limits.trace_steps, limits.steps) : limits.steps;
  work.max_steps = std::min(asked.max_steps.value_or(most), most);
  work.abandoned = [reply] { return reply->abandoned(); };
  work.finish = [this, reply, form = work.form](WorkEnd end) {
    finish_simplify(std::move(end), form, *reply);
  };
  if (!queue_.add(std::move(work))) throw Refusal(503, "too many formulas are waiting");
}

void Api::finish_simplify(WorkEnd end, AnswerForm form, Exchange& reply) {
  for (const auto& [outcome, count] : end.outcomes) metrics_.count_formulas(outcome, count);
  if (reply.abandoned()) return reply.respond({});
  if (end.late) return reply.respond(to_response(Refusal(503, "the formulas waited too long")));
  reply.respond({.body = std::move(end.body), .type = std::string(content_type(form))});
}

}  // namespace nrs::serve

#include "serve/answer_form.h"

#include <nlohmann/json.hpp>

namespace nrs::serve {
namespace {

using Json = nlohmann::ordered_json;

// The rounds of its trace, and the rest of it.
void add_events(const service::Answer& answer, const service::Style& style, std::string& text) {
  Json object = Json::parse(service::to_json(answer, style));
  if (object.contains("trace")) {
    for (const Json& round : object["trace"]) text += event_text("round", round.dump());
    object.erase("trace");
  }
  text += event_text("result", object.dump());
}

}  // namespace

AnswerForm answer_form(const Request& request) {
  const std::string& accepted = request.header("accept");
  const auto accepts = [&](std::string_view type) { return accepted.find(type) != accepted.npos; };
  if (accepts("text/event-stream")) return AnswerForm::kEvents;
  if (accepts("application/json")) return AnswerForm::kList;
  const bool asked_in_lines = request.header("content-type").starts_with("text/plain");
  return accepts("text/plain") || asked_in_lines ? AnswerForm::kLines : AnswerForm::kList;
}

std::string_view content_type(AnswerForm form) {
  return form == AnswerForm::kList    ? "application/json"
         : form == AnswerForm::kLines ? "text/plain; charset=utf-8"
                                      : "text/event-stream";
}

std::string begin_answers(AnswerForm form, std::string_view model) {
  if (form != AnswerForm::kList) return {};
  return std::string("{\"model\":\"").append(model).append("\",\"results\":[");
}

void add_answer(AnswerForm form, const service::Answer& answer, const service::Style& style,
                std::string& text) {
  switch (form) {
    case AnswerForm::kList:
      service::add_json(answer, style, text);
      text += ',';
      return;
    case AnswerForm::kLines:
      return service::add_line(answer, style, text);
    case AnswerForm::kEvents:
      return add_events(answer, style, text);
  }
}

void end_answers(AnswerForm form, std::string& text) {
  if (form != AnswerForm::kList) return;
  if (text.ends_with(',')) text.pop_back();
  text += "]}\n";
}

}  // namespace nrs::serve

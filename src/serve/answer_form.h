#pragma once
// The forms in which the answers to one request are sent.
#include <string>
#include <string_view>

#include "serve/http.h"
#include "service/answerer.h"

namespace nrs::serve {

enum class AnswerForm {
  kList,    // one object of JSON with all of them
  kLines,   // text, a line for each
  kEvents,  // an event for each round, and one for the result
};

// What the client accepts; if it accepts anything, the form in which it asked.
AnswerForm answer_form(const Request& request);
std::string_view content_type(AnswerForm form);

// The text of all answers: the beginning, then each answer, then the end.
std::string begin_answers(AnswerForm form, std::string_view model);
void add_answer(AnswerForm form, const service::Answer& answer, const service::Style& style,
                std::string& text);
void end_answers(AnswerForm form, std::string& text);

}  // namespace nrs::serve

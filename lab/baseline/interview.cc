#include "baseline/interview.h"

#include "baseline/prose.h"

namespace nrs {
namespace {

// The last reply of one sample.
std::optional<std::string> ask_sample(const InterviewSettings& settings, Turn turn,
                                      const Reply& reply) {
  const std::string text = question_of(*turn.question->domain, turn.question->formula);
  std::vector<std::string> replies;
  for (turn.call = 0; turn.call < calls_of(settings.protocol); ++turn.call) {
    const auto request =
        chat_request(settings.model, messages_of(settings.protocol, text, replies));
    const std::optional<ChatAnswer> answer = reply(turn, request.dump());
    if (!answer) return {};
    replies.push_back(answer->content);
  }
  return replies.back();
}

}  // namespace

Judged interview(const InterviewSettings& settings, const Question& question, const Reply& reply) {
  Judged judged;
  std::vector<std::optional<std::string>> answers;
  for (int sample = 0; sample < settings.samples; ++sample) {
    const auto text = ask_sample(settings, {&question, sample, 0}, reply);
    if (!text) return {};  // the other samples are asked when the run is resumed
    answers.push_back(answer_in(*question.domain, spoken_part(*text), question.formula));
    if (answers.back() && right_answer(question, *answers.back())) ++judged.samples_right;
  }
  judged.answer = vote(answers);
  if (!judged.answer) {
    judged.grade = Grade::kUnparsed;
  } else {
    judged.grade = right_answer(question, *judged.answer) ? Grade::kRight : Grade::kWrong;
  }
  return judged;
}

}  // namespace nrs

#pragma once
// A text system from questions and answers, for one way to read them and one idea of how many
// answers are wrong.
#include <cstdint>
#include <vector>

#include "teach/draft.h"
#include "teach/text_system.h"

namespace nrs::teach {

// What is believed of the answers.
struct Trust {
  Standard standard{};
  std::vector<bool> doubted{};  // by example: not learned from; empty if all are
  bool polished = false;        // with polish(), which takes its time
};

struct AnswerSystem {
  TextSystem system{};
  // Questions that it answers, but otherwise: the first example of each, and how many they are.
  std::vector<std::uint32_t> wrong{};
  std::uint64_t wrong_times = 0;
};

AnswerSystem learn_answers(Corpus& corpus, const TextOptions& options, const Trust& trust);

}  // namespace nrs::teach

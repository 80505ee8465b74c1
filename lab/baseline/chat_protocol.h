#pragma once
// How a language model is asked: the paper's ways, as messages of a chat. prose.h has the
// questions themselves.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nrs {

enum class ChatProtocol {
  kVanilla,         // one call; for models that reason by themselves
  kChainOfThought,  // two calls: "Let's think step-by-step", then the answer alone
  kSelfConsistency  // the same several times, and a vote
};

std::string_view name_of(ChatProtocol protocol);
// Throws Error (usage) with the known names.
ChatProtocol protocol_of(std::string_view name);

int calls_of(ChatProtocol protocol);
// How often the paper asks each formula.
int samples_of(ChatProtocol protocol);

struct Message {
  std::string role;
  std::string content;
};

// What is sent in the next call, given the replies to those before.
std::vector<Message> messages_of(ChatProtocol protocol, std::string_view question,
                                 std::span<const std::string> replies);

// A reply without the thoughts that some models write first, between <think> and </think>.
std::string_view spoken_part(std::string_view reply);

// The answer given most often; of those given equally often, the one that came first. A sample
// without an answer has no vote. Nothing if no sample has one.
std::optional<std::string> vote(std::span<const std::optional<std::string>> answers);

}  // namespace nrs

#pragma once
// A language model as a partner in a chat: the paper's ways to ask it, and the interface that
// OpenAI made common, as text: what is sent to and what comes back from ENDPOINT/chat/completions.
// prose.h has the questions themselves.
#include <cstddef>
#include <nlohmann/json.hpp>
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

struct ChatModel {
  std::string name;
  // Other fields of each request, such as "temperature"; without them the server's defaults hold.
  nlohmann::ordered_json fields = nlohmann::ordered_json::object();
};

// Adds "NAME=VALUE" to the fields; a value that is no JSON is a text. Throws Error (usage).
void add_field(nlohmann::ordered_json& fields, const std::string& assignment);

nlohmann::ordered_json chat_request(const ChatModel& model, std::span<const Message> messages);

struct ChatAnswer {
  std::string content;
  std::size_t prompt_tokens = 0;  // as the server counts them; 0 if it does not
  std::size_t completion_tokens = 0;
};
// Throws Error (input) with what is wrong with the reply.
ChatAnswer read_chat_answer(std::string_view body);

// What a server says of its refusal, in one short line; empty if it says nothing.
std::string error_in(std::string_view body);

}  // namespace nrs

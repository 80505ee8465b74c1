#pragma once
// The chat interface that OpenAI made common, as text: what is sent to and what comes back from
// ENDPOINT/chat/completions.
#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "baseline/chat_protocol.h"

namespace nrs {

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

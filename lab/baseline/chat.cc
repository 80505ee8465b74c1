#include "baseline/chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs {
namespace {

struct Known {
  ChatProtocol protocol;
  std::string_view name;
  int calls;
  int samples;
};
constexpr std::array<Known, 3> kProtocols = {
    {{ChatProtocol::kVanilla, "vanilla", 1, 1},
     {ChatProtocol::kChainOfThought, "chain-of-thought", 2, 1},
     {ChatProtocol::kSelfConsistency, "self-consistency", 2, 10}}};

const Known& find(ChatProtocol protocol) {
  return *std::find_if(kProtocols.begin(), kProtocols.end(),
                       [&](const Known& known) { return known.protocol == protocol; });
}

}  // namespace

std::string_view name_of(ChatProtocol protocol) {
  return find(protocol).name;
}

ChatProtocol protocol_of(std::string_view name) {
  for (const Known& known : kProtocols) {
    if (known.name == name) return known.protocol;
  }
  throw Error(
      ErrorKind::kUsage, fmt::format("unknown protocol '{}'", excerpt(name)),
      fmt::format("{}, {} or {}", kProtocols[0].name, kProtocols[1].name, kProtocols[2].name));
}

int calls_of(ChatProtocol protocol) {
  return find(protocol).calls;
}

int samples_of(ChatProtocol protocol) {
  return find(protocol).samples;
}

std::vector<Message> messages_of(ChatProtocol protocol, std::string_view question,
                                 std::span<const std::string> replies) {
  if (protocol == ChatProtocol::kVanilla) {
    return {{"user", fmt::format("{} Write the final answer alone in the last line.", question)}};
  }
  std::vector<Message> messages{
      {"user", fmt::format("Q: {}\nA: Let's think step-by-step.", question)}};
  if (replies.empty()) return messages;
  messages.push_back({"assistant", replies.front()});
  messages.push_back({"user", "Now write the final answer alone, without any explanation."});
  return messages;
}

std::string_view spoken_part(std::string_view reply) {
  constexpr std::string_view kEnd = "</think>";
  const std::size_t end = reply.rfind(kEnd);
  return end == std::string_view::npos ? reply : reply.substr(end + kEnd.size());
}

std::optional<std::string> vote(std::span<const std::optional<std::string>> answers) {
  std::map<std::string_view, int> votes;
  for (const auto& answer : answers) {
    if (answer) ++votes[*answer];
  }
  std::optional<std::string> elected;
  int most = 0;
  for (const auto& answer : answers) {
    if (!answer || votes[*answer] <= most) continue;
    most = votes[*answer];
    elected = answer;
  }
  return elected;
}

namespace {

using Json = nlohmann::ordered_json;

Error bad_reply(const std::string& what) {
  return Error(ErrorKind::kInput, "the reply " + what);
}

// JSON is nested a few levels in a reply; a hostile one could nest without end, and destroying it
// would take as much stack.
constexpr int kMostDepth = 64;

Json parse(std::string_view body) {
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMostDepth) throw bad_reply("is nested too deeply");
    return true;
  };
  Json json = Json::parse(body, shallow, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    throw bad_reply(body.empty() ? "is empty" : "is not JSON: " + excerpt(body));
  }
  return json;
}

// A member of an object, or null.
const Json& member(const Json& json, const char* name) {
  static const Json null;
  return json.is_object() && json.contains(name) ? json[name] : null;
}

std::size_t count_in(const Json& usage, const char* name) {
  const Json& count = member(usage, name);
  return count.is_number_unsigned() ? count.get<std::size_t>() : 0;
}

// Content is a text, a list of parts some of which are text, or null where a model refuses.
std::string text_of(const Json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  if (content.is_array()) {
    for (const Json& part : content) {
      if (member(part, "text").is_string()) text += member(part, "text").get<std::string>();
    }
    return text;
  }
  if (!content.is_null()) throw bad_reply("has content that is not text");
  return text;
}

}  // namespace

void add_field(Json& fields, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorKind::kUsage,
                fmt::format("request field '{}' has no value", excerpt(assignment)),
                "write it as in temperature=0.7");
  }
  const std::string name = assignment.substr(0, equals);
  for (const std::string_view ours : {"model", "messages", "stream", "n"}) {
    if (name == ours) {
      throw Error(ErrorKind::kUsage, fmt::format("request field '{}' cannot be set", name),
                  name == "n" ? "the number of samples says how often a formula is asked" : "");
    }
  }
  const std::string value = assignment.substr(equals + 1);
  Json parsed = Json::parse(value, nullptr, /*allow_exceptions=*/false);
  fields[name] = parsed.is_discarded() ? Json(value) : std::move(parsed);
}

Json chat_request(const ChatModel& model, std::span<const Message> messages) {
  Json request = {{"model", model.name}, {"messages", Json::array()}};
  for (const Message& message : messages) {
    request["messages"].push_back({{"role", message.role}, {"content", message.content}});
  }
  request.update(model.fields);
  return request;
}

ChatAnswer read_chat_answer(std::string_view body) {
  const Json json = parse(body);
  const Json& choices = member(json, "choices");
  if (!choices.is_array() || choices.empty()) {
    const std::string error = error_in(body);
    throw bad_reply(error.empty() ? "has no 'choices'" : "is an error: " + error);
  }
  const Json& message = member(choices[0], "message");
  if (!message.is_object()) throw bad_reply("has no 'message'");
  if (!message.contains("content") && !message.contains("refusal")) {
    throw bad_reply("has no 'content'");
  }
  const Json& usage = member(json, "usage");
  return {text_of(member(message, "content")), count_in(usage, "prompt_tokens"),
          count_in(usage, "completion_tokens")};
}

std::string error_in(std::string_view body) {
  constexpr std::size_t kShown = 160;
  try {
    const Json json = parse(body);
    const Json& error = member(json, "error");
    for (const Json* text : {&member(error, "message"), &error, &member(json, "message")}) {
      if (text->is_string()) return excerpt(text->get<std::string>(), kShown);
    }
  } catch (const Error&) {
    return "";  // no JSON: most often a page for people
  }
  return "";
}

}  // namespace nrs

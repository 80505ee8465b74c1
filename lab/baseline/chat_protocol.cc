#include "baseline/chat_protocol.h"

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

}  // namespace nrs

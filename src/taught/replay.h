#pragma once
// Asks a model what examples show, and says where it goes another way.
#include <array>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "examples/examples.h"
#include "nrs/rewriter.h"

namespace nrs::taught {

enum class Verdict { kRight, kWrong, kRefused };

// What is to blame where a model does not come to the answer of an example.
enum class Blame {
  kNobody,
  kLeaf,    // another part was rewritten, or no leaf was found
  kValue,   // a leaf became something else, or has no value that is sure
  kLimit,   // it did not come to an end
  kUnread,  // the formula has something in it that the model was not taught
  kUntold,  // the answer is another one, and the example does not show the way
};
constexpr auto enum_names(Blame) {
  return std::to_array<EnumName<Blame>>({{Blame::kNobody, "nobody"},
                                         {Blame::kLeaf, "leaf"},
                                         {Blame::kValue, "value"},
                                         {Blame::kLimit, "limit"},
                                         {Blame::kUnread, "not_read"},
                                         {Blame::kUntold, "not_told"}});
}

struct Replay {
  const examples::Example* example = nullptr;
  Verdict verdict = Verdict::kRight;
  Blame blame = Blame::kNobody;
  std::string formula{};  // where it went another way
  std::string what{};     // what it did there, for people
};

struct ReplayOptions {
  int threads = 1;
  std::function<bool(std::size_t done)> progress{};  // false: that is enough
};

// One for each example, in order; fewer if `progress` says so. An example with an answer is right
// if the model comes to it. One that ends before asks for its steps: the places that it states, or
// that its first and its last formula come to the same. A formula alone asks whether it is final.
// `examples` must outlive the result. Law: the threads change nothing.
std::vector<Replay> replay_examples(const Rewriter& rewriter,
                                    std::span<const examples::Example> examples,
                                    const ReplayOptions& options = {});

// The same text, whatever blanks are between its tokens.
bool same_formula(std::string_view a, std::string_view b);

// How well a model does on examples of some length.
struct LengthScore {
  std::size_t shortest = 0, longest = 0;  // characters of the questions
  std::size_t asked = 0, right = 0, wrong = 0;

  std::size_t refused() const { return asked - right - wrong; }
  void add(const LengthScore& other);
};

// In at most five groups of growing length, as equal as can be.
std::vector<LengthScore> by_length(std::span<const Replay> replays);
LengthScore total_of(std::span<const LengthScore> scores);
void to_json(nlohmann::ordered_json& json, const LengthScore& score);
// A table of them, for people.
std::string to_text(std::span<const LengthScore> scores);

}  // namespace nrs::taught

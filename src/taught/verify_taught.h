#pragma once
// Checks a model against the examples that it was taught by: on these, and on longer formulas that
// are spliced from them.
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "nrs/rewriter.h"
#include "taught/kept_examples.h"
#include "taught/replay.h"

namespace nrs::taught {

struct TaughtCheck {
  LengthScore examples;              // as they were taught
  std::size_t leaves = 0;            // different ones that they use
  std::size_t neighbours = 0;        // different leaves with what is beside them
  LengthScore contexts;              // spliced formulas
  std::size_t orders = 0;            // of these: the last leaf first comes to another answer
  std::vector<std::string> first{};  // the first that went wrong, for people

  bool nothing_wrong() const { return examples.wrong + contexts.wrong + orders == 0; }
  // "exact": all right; "sound": some refused, nothing wrong; "wrong".
  std::string_view verdict() const;
};

struct TaughtRequest {
  std::size_t contexts = 10'000;
  std::uint64_t seed = 0;
  int threads = 1;
  // Hears how many formulas are done; false gives up, and the result is what was found so far.
  std::function<bool(std::size_t done)> progress{};
};

// Law: the threads change nothing.
TaughtCheck verify_taught(const Rewriter& rewriter, const KeptExamples& kept,
                          const TaughtRequest& request);

nlohmann::ordered_json to_json(const TaughtCheck& check);
std::string to_text(const TaughtCheck& check);

}  // namespace nrs::taught

#pragma once
// Checks a model against a domain: its Solver on every leaf and atom that exists, its Selector on
// many leaves in generated contexts, and both on what has no value. What comes out is a
// certificate.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/distinct.h"
#include "nrs/domain.h"
#include "rewrite/modular.h"

namespace nrs::eval {

// The first failures are kept; this many of each kind.
inline constexpr std::size_t kKeptFailures = 5;

// What a Solver said of a leaf, where that was not its value with enough confidence.
struct LeafFailure {
  bool sure = false;  // so that the engine would use it
  std::string leaf;
  std::string said;      // empty: omega
  std::string expected;  // empty: omega
  double log_prob = 0;
};

struct SolverCheck {
  std::size_t leaves = 0;
  std::size_t right = 0;   // the value, surely enough
  std::size_t wrong = 0;   // something else, surely enough: the engine would use it
  std::size_t unsure = 0;  // anything, not surely enough: the engine would not use it
  std::vector<LeafFailure> first_wrong;
  std::vector<LeafFailure> first_unsure;
};

// A formula in which the Selector did not find what the oracle finds.
struct ContextFailure {
  std::string formula;
  Span span;
  bool missed = false;  // a leaf that was not selected; else a part that was selected but is none
};

struct SelectorCheck {
  std::size_t formulas = 0;  // with all that becomes of them on the way to their value
  std::size_t contexts = 0;  // leaves in them, and formulas that are final
  std::size_t distinct = 0;  // of these, by all that the Selector can see
  std::size_t missed = 0;
  std::size_t extra = 0;  // parts that were selected but are no leaves
  std::vector<ContextFailure> first_failures;
};

// Formulas without a value: whatever a model answers is invented.
struct RefusalCheck {
  std::size_t leaves = 0;    // that have none: all that exist
  std::size_t formulas = 0;  // generated ones, with such a leaf in them
  std::size_t answered = 0;
  std::vector<std::string> first_answered;
};

struct Verification {
  const Domain* domain = nullptr;
  SolverCheck leaves;
  SolverCheck atoms;  // for which the Solver should say omega
  // The leaves that it was trained on, and all others, if that is known.
  std::optional<SolverCheck> seen;
  std::optional<SolverCheck> unseen;
  SelectorCheck selector;
  RefusalCheck refusals;

  bool nothing_wrong() const;
  bool all_sure() const { return leaves.unsure + atoms.unsure == 0; }
};

struct VerifyRequest {
  const Domain* domain = nullptr;
  const rewrite::ModularRewriter* rewriter = nullptr;  // asked from several threads at once
  std::size_t contexts = 1'000'000;                    // at least; 0: the Selector is not checked
  std::uint64_t seed = 0;
  int threads = 1;                           // does not change the outcome
  const data::SeenTexts* trained = nullptr;  // leaves that the Solver was trained on, if known
  // Hears of every leaf and atom that is not right.
  std::function<void(const LeafFailure& failure)> on_failure;
  // Hears how much is done; returns false to give up, and verify() then throws Interrupted.
  std::function<bool(const Verification& so_far)> progress;
};

struct Interrupted {};

Verification verify(const VerifyRequest& request);

// What has been verified of a model, as it is shown and as it is kept in the model's file.
struct Certificate {
  std::string model;    // its checksum, see model_checksum()
  std::string program;  // what verified it
  double min_log_prob = 0;
  std::uint64_t seed = 0;  // of the Selector's contexts
  std::vector<Verification> domains;

  bool nothing_wrong() const;
  // "exact": every leaf surely right; "sound": some are unsure but nothing is wrong; "wrong".
  std::string_view verdict() const;
};

// The same certificate has the same bytes: no time is in it.
nlohmann::ordered_json to_json(const Certificate& certificate);
std::string to_text(const Certificate& certificate);
// One leaf that is not right, for a line of a JSON-lines file.
nlohmann::ordered_json to_json(const LeafFailure& failure);

// Puts a certificate, a JSON object whose "model" is the checksum of the model, into the file of
// the model, whole or not at all; tensors and everything else stay as they are. Throws Error (I/O),
// also if the file is no longer the model that was verified.
void store_certificate(const std::filesystem::path& path,
                       const nlohmann::ordered_json& certificate);

}  // namespace nrs::eval

#pragma once
// The examples that a model was taught by, kept in its file: so that it can be taught more, checked
// and measured without them.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "examples/examples.h"
#include "model/model_file.h"

namespace nrs::taught {

// Any architecture may have this module. Nothing that rewrites looks at it.
inline constexpr std::string_view kExamplesModule = "examples";

struct KeptExamples {
  std::vector<examples::Example> examples;
  examples::Kind kind = examples::Kind::kSteps;  // as which they were taught
  std::size_t left_out = 0;                      // the longest, for which there was no room
  std::uint32_t lines = 0;                       // of all files together; others count on from here

  bool operator==(const KeptExamples&) const = default;
};

// The longest ones are left out, so that a file does not grow without bound.
inline constexpr std::size_t kMostBytes = std::size_t{16} << 20;

inline bool keeps_examples(const model::Model& model) {
  return model.has(kExamplesModule);
}

// Law: kept_examples() then gives the same examples in the same order, but for those left out.
void keep_examples(model::Model& model, const KeptExamples& kept,
                   std::size_t most_bytes = kMostBytes);
// Nothing if it keeps none. Throws Error (input) if they are damaged.
std::optional<KeptExamples> kept_examples(const model::Model& model);
// The same. Throws Error (input) that says that there are none.
KeptExamples require_examples(const model::Model& model);

// Names a list of examples.
std::string hash_of(const std::vector<examples::Example>& examples);

}  // namespace nrs::taught

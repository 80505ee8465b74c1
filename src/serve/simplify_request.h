#pragma once
// Reads what POST /v1/simplify is sent.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/limits.h"

namespace nrs::serve {

struct SimplifyRequest {
  std::string model{};  // empty: the default
  std::vector<std::string> formulas{};
  bool trace = false;
  std::optional<std::size_t> max_steps{};
};

// {"formulas": ["..."]} or {"formula": "..."}, with "model", "trace" and "max_steps" if they are
// wanted. Nothing else is taken: not an unknown field, a field twice, or one of another type, so
// there is no depth to be afraid of. Throws Refusal that names the field (400), or what there is
// too much of (413).
SimplifyRequest read_simplify_request(std::string_view body, const Limits& limits);

}  // namespace nrs::serve

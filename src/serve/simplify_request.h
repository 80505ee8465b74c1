#pragma once
// Reads what POST /v1/simplify is sent.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "serve/limits.h"
#include "serve/query.h"
#include "serve/text_list.h"

namespace nrs::serve {

struct SimplifyRequest {
  std::string model{};  // empty: the default
  TextList formulas{};
  bool trace = false;
  std::optional<std::size_t> max_steps{};

  bool operator==(const SimplifyRequest&) const = default;
};

// {"formulas": ["..."]} or {"formula": "..."}, with "model", "trace" and "max_steps" if they are
// wanted. Nothing else is taken: not an unknown field, a field twice, or one of another type, so
// there is no depth to be afraid of. Throws Refusal that names the field (400), or what there is
// too much of (413).
SimplifyRequest read_simplify_request(std::string body, const Limits& limits);
// The two ways it goes. What programs send is mostly plain and right: it is read where it lies, and
// the body is taken. Nothing: read it carefully, which also tells what is wrong. Law: what the
// quick way reads, the careful one reads the same.
std::optional<SimplifyRequest> read_quickly(std::string& body, const Limits& limits);
SimplifyRequest read_carefully(std::string_view body, const Limits& limits);

// One formula a line, and "model" and "max_steps" in the query. Throws Refusal.
SimplifyRequest read_simplify_lines(std::string body, const Query& query, const Limits& limits);

}  // namespace nrs::serve

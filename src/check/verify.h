#pragma once
// Checks a certificate again. Shares no code with what found it: terms, orders, matching,
// unification and rewriting are written here once more, plainly.
#include <optional>
#include <string>
#include <string_view>

#include "term/rule.h"

namespace nrs::check {

// What is wrong with the certificate of these rules; nothing if every claim in it holds. Claims are
// that the rules are these, that the orders prove termination, and that all critical pairs join.
std::optional<std::string> refute_certificate(const term::RuleSet& rules, std::string_view json);

}  // namespace nrs::check

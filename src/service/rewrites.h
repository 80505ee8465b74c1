#pragma once
// The steps of a derivation as the library shows them.
#include <span>
#include <string_view>
#include <vector>

#include "nrs/nrs.h"
#include "nrs/rewriter.h"

namespace nrs::service {

// Every rewrite of a record (RunOptions::keep_rounds) that began with this formula.
std::vector<Rewrite> rewrites_of(std::string_view formula, std::span<const Round> record);

}  // namespace nrs::service

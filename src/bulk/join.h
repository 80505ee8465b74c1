#pragma once
// Puts the answers of all tasks together, in order.
#include <functional>
#include <string_view>

#include "bulk/plan.h"
#include "bulk/record.h"

namespace nrs::bulk {

// Hands over the answers of one task after the other, each checked before: there is one answer to
// each line of its shard, and the file is what its runner wrote. Returns what all of them come to.
// Throws Error: I/O if a task is not done; input if a file is damaged.
Record join(const Plan& plan, const PlanFiles& files,
            const std::function<void(std::string_view text)>& take);

}  // namespace nrs::bulk

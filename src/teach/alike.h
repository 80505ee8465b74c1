#pragma once
// Neighbours that no example shows, but that are like others.
#include "teach/draft.h"

namespace nrs::teach {

// Two tokens are alike on one side of leaves, such as the names in a path, if many patterns are
// leaves beside both of them, fewer beside only one, and no example speaks against it. What
// the one allows, the other then allows, too. Call it when neighbours are settled.
void accept_alike(Draft& draft);

}  // namespace nrs::teach

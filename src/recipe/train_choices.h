#pragma once
// What a training can be asked for besides its recipe.

namespace nrs {

// Which modules are trained. When only one is, the other is taken over from the model that is
// there.
enum class Modules { kBoth, kSelector, kSolver };

enum class Device { kCpu, kCuda };

}  // namespace nrs

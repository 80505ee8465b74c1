#include "data/levels.h"

#include "base/rng.h"

namespace nrs::data {

std::size_t draw_level(const Domain& domain, const LevelRequest& request, SeenTexts& seen,
                       const TakeShaped& take) {
  const auto kinds = static_cast<std::size_t>(request.args_to - request.args_from + 1);
  std::size_t made = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const Shape shape{request.nesting, request.args_from + static_cast<int>(kind), request.space};
    const std::size_t share = request.count * (kind + 1) / kinds - request.count * kind / kinds;
    made += draw_distinct(domain,
                          {.shape = shape,
                           .count = share,
                           .seed = mix(mix(request.seed, static_cast<std::uint64_t>(shape.nesting)),
                                       static_cast<std::uint64_t>(shape.args)),
                           .threads = request.threads},
                          seen, [&](const Sample& sample) { take(sample, shape); });
    if (shape.nesting == 0) break;  // an atom has no arguments
  }
  return made;
}

}  // namespace nrs::data

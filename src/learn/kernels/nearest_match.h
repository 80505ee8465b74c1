#pragma once
// Attention to the nearest match, on plain float buffers. Each key j takes the share
// P_ij = 1 / (1 + e^-z_ij) of what the keys nearer to query i have left over; of two keys at the
// same distance the right one is nearer. So A_ij = P_ij * product over nearer k of (1 - P_ik), and
// a query does not see itself.
#include <cstdint>
#include <vector>

#include "learn/kernels/kernels.h"

namespace nrs::learn::kernels {

struct GeometricShape {
  const nn::Packing& rows;
  int heads;
  int dim;

  // Of one token's input: query, key, value, and for each head what the query thinks of keys to its
  // right and to its left.
  std::int64_t input_width() const { return 3 * dim + 2 * heads; }
};
// z = score * (query . key) + side * (that of the key's side) + bias, the same in all heads.
struct GeometricScale {
  float score;
  float side;
  float bias;
};

// Where the shares of each row begin, and how many there are at the end: [B + 1].
std::vector<std::int64_t> geometric_share_offsets(const GeometricShape& shape);

// x [N, input_width], out [N, D], without gaps between the rows; shares: P, in the order of
// nn/kernels/nearest_match.h.
void geometric_forward(const GeometricShape& shape, GeometricScale scale, In x, float* shares,
                       Out out);
struct GeometricGradients {
  Out x;              // [N, input_width]
  double scale[3]{};  // of score, side, bias: added to
};
void geometric_backward(const GeometricShape& shape, GeometricScale scale, In x,
                        const float* shares, In out_gradient, GeometricGradients& gradient);

}  // namespace nrs::learn::kernels

#pragma once
// The loops that torch has no fused operation for, on plain float buffers, without torch. The tests
// compare each with a plain twin made of torch operations. Forward passes are those of nn/, which
// run models, too; here they also keep what the backward passes need.
//
// One thread: a batch is computed in parts, side by side (workers.h). N tokens, D width, H heads,
// S slots, V classes; [N, D] is row-major.
#include <cstdint>
#include <span>

#include "nn/config.h"
#include "nn/packing.h"

namespace nrs::learn::kernels {

// Rows of D floats, each `stride` after the one before: a matrix, or some columns of one.
template <class Float>
struct Matrix {
  Float* data = nullptr;
  std::int64_t stride = 0;

  Float* row(std::int64_t i) const { return data + i * stride; }
};
using In = Matrix<const float>;
using Out = Matrix<float>;

// Attention of each row of queries to the same row of keys. With `causal`, query i sees the keys
// 0..i only. A query that sees no key gets zeros.
//
// By softmax, or by last match: each key takes the share p = 1 / (1 + e^-(score + bias)) of what
// the keys behind it have left over, so that the last one that fits takes nearly all.
struct AttentionShape {
  const nn::Packing& queries;
  const nn::Packing& keys;
  int heads;
  int dim;
  bool causal;
  const float* match_bias = nullptr;  // [H]; null: softmax
};
// How many weights there are, [Lq, H, Lk] of each row; with last match they are the shares. Only
// those of keys that a query sees are set.
std::int64_t attention_weights(const AttentionShape& shape);
// k and v have the same stride.
struct AttentionInputs {
  In q, k, v;
};
void attention_forward(const AttentionShape& shape, const AttentionInputs& in, float* weights,
                       Out out);
struct AttentionGradients {
  Out q, k, v;
  float* match_bias = nullptr;  // [H]; null: softmax
};
void attention_backward(const AttentionShape& shape, const AttentionInputs& in,
                        const float* weights, In out_gradient, const AttentionGradients& gradient);

// Self-attention to 2 * window + 1 slots: the tokens at distance -window..window times the
// dilation, as far as they are in the row. Costs N * S, whatever the length of the rows.
struct WindowShape {
  const nn::Packing& rows;
  int heads;
  int dim;
  int window;
  int dilation;

  int slots() const { return 2 * window + 1; }
};
struct WindowInputs {
  const float* qkv;         // [N, 3D]
  const float* slot_bias;   // [S, H] added to the scores; may be null
  const float* slot_value;  // [S, D] added to the values; may be null
};
void window_forward(const WindowShape& shape, const WindowInputs& in, float* weights, float* out);
struct WindowGradients {
  float* qkv;         // [N, 3D]
  float* slot_bias;   // [S, H]; may be null
  float* slot_value;  // [S, D]; may be null
};
// weights [N, S, H], set where the slot is in the row; out_gradient [N, D].
void window_backward(const WindowShape& shape, const WindowInputs& in, const float* weights,
                     const float* out_gradient, const WindowGradients& gradient);

// Attention to the nearest match. Each key j takes the share P_ij = 1 / (1 + e^-z_ij) of what the
// keys nearer to query i have left over; of two keys at the same distance the right one is nearer.
// So A_ij = P_ij * product over nearer k of (1 - P_ik), and a query does not see itself.
struct GeometricShape {
  const nn::Packing& rows;
  int heads;
  int dim;

  // Of one token's input: query, key, value, and for each head what the query thinks of keys to its
  // right and to its left.
  std::int64_t input_width() const { return 3 * dim + 2 * heads; }
};
std::int64_t geometric_shares(const GeometricShape& shape);  // how many there are
// z = scale[0] * (query . key) + scale[1] * (that of the key's side) + scale[2], the same in all
// heads. x [N, input_width], out [N, D], without gaps between the rows; shares: P, in the order of
// nn/kernels/nearest_match.h.
void geometric_forward(const GeometricShape& shape, const float* scale, In x, float* shares,
                       Out out);
struct GeometricGradients {
  Out x;              // [N, input_width]
  double scale[3]{};  // added to
};
void geometric_backward(const GeometricShape& shape, const float* scale, In x, const float* shares,
                        In out_gradient, GeometricGradients& gradient);

struct Size {
  std::int64_t rows;
  std::int64_t columns;
};

// sum = x + update + bias, normed = layer norm of it; x, update and bias may be null.
struct AddNormInputs {
  const float* x;       // [N, D]
  const float* update;  // [N, D]
  const float* bias;    // [D]
  const float* gamma;   // [D]
  const float* beta;    // [D]
};
struct AddNormOutputs {
  float* sum;     // [N, D]
  float* normed;  // [N, D]
  float* stats;   // [N, 2]: mean and 1 / standard deviation
};
void add_norm_forward(Size size, const AddNormInputs& in, const AddNormOutputs& out);
struct AddNormSaved {
  const float* sum;
  const float* stats;
  const float* gamma;
};
struct AddNormGradients {
  float* sum;    // [N, D]: of x and of update
  float* bias;   // [D]; may be null
  float* gamma;  // [D]
  float* beta;   // [D]
};
// `sum_gradient` is what reaches the sum past the norm; it may be null.
void add_norm_backward(Size size, const AddNormSaved& saved, const float* normed_gradient,
                       const float* sum_gradient, const AddNormGradients& gradient);

// x becomes f(x + bias), slope f'(x + bias).
void activation_forward(Size size, nn::Activation activation, const float* bias, float* x,
                        float* slope);
// gradient becomes gradient * slope; bias_gradient [columns] its sum over the rows.
void activation_backward(Size size, const float* slope, float* gradient, float* bias_gradient);

// sums [columns] over the rows of x.
void column_sums(Size size, const float* x, float* sums);

// out = x where kept, scaled so that the mean stays, else 0. Which elements are kept depends only
// on the seed and the index; that of x[0] is `first`.
struct DropoutMask {
  double share;  // of elements not kept
  std::uint64_t seed;
  std::int64_t first;
};
void dropout(std::int64_t count, const DropoutMask& mask, const float* x, float* out);

// out[i] = sum over the tables t of t.table[t.index[i]]; an index below 0 adds nothing.
struct Lookup {
  const float* table;         // [rows, D]
  const std::int32_t* index;  // [N]
};
void embed_forward(Size size, std::span<const Lookup> lookups, float* out);
// table_gradient += the gradients of the tokens that were looked up there.
void embed_backward(Size size, const std::int32_t* index, const float* gradient,
                    float* table_gradient);

// Cross-entropy of logits [N, V] against targets [N]: loss [N], correct [N] (the target is the
// likeliest class), and the gradient of the summed loss in the logits [N, V].
struct LossOutputs {
  float* loss;
  char* correct;
  float* gradient;
};
void cross_entropy(Size size, const float* logits, const std::int32_t* targets,
                   const LossOutputs& out);

// One step of Adam with decoupled weight decay, and of the moving average of the weights.
struct AdamBuffers {
  std::int64_t count;
  float* weights;
  const float* gradient;
  float* mean;
  float* square;
  float* average;  // may be null
};
struct AdamStep {
  double rate;
  double beta1;
  double beta2;
  double epsilon;
  double decay;              // weights shrink by rate * decay
  double gradient_scale;     // for clipping
  double mean_correction;    // 1 - beta1^step
  double square_correction;  // 1 - beta2^step
  double average_share;      // how much of the new weights goes into the average
};
void adam_step(const AdamBuffers& buffers, const AdamStep& step);

}  // namespace nrs::learn::kernels

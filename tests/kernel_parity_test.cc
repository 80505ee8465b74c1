// What training computes between the matrix products is what running a model computes there, to the
// bit: the same numbers go into the training kernels, for many rows at once, and into the kernels
// of nn/ as the runtime calls them.
#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"
#include "learn/kernels/kernels.h"
#include "nn/kernels.h"

namespace nrs::learn::kernels {
namespace {

using Floats = std::vector<float>;

class KernelParity : public testing::Test {
 protected:
  Floats random(std::int64_t count) {
    Floats values(static_cast<std::size_t>(count));
    for (float& value : values) value = static_cast<float>(4 * rng_.uniform() - 2);
    return values;
  }
  static Floats room(std::int64_t count) { return Floats(static_cast<std::size_t>(count), 7.0F); }

  Rng rng_{1};
  const nn::Kernels& kernels_ = nn::best_kernels();
};

nn::Packing packed(const std::vector<std::size_t>& lengths) {
  nn::Packing packing;
  for (const std::size_t length : lengths) packing.add(length);
  return packing;
}

const std::vector<nn::HeadShape> kShapes{{4, 64}, {8, 128}, {3, 30}, {2, 16}};

TEST_F(KernelParity, NormAndActivation) {
  for (const int dim : {64, 33}) {
    const int rows = 9;
    const Floats x = random(rows * dim), gamma = random(dim), beta = random(dim);
    Floats sum = room(rows * dim), normed = sum, stats = room(2 * rows), expected = sum;
    add_norm_forward({rows, dim}, {x.data(), nullptr, nullptr, gamma.data(), beta.data()},
                     {sum.data(), normed.data(), stats.data()});
    kernels_.norm_rows({gamma.data(), beta.data(), dim}, x.data(), rows, expected.data(), nullptr);
    EXPECT_EQ(sum, x);
    EXPECT_EQ(normed, expected);
    for (const nn::Activation activation : {nn::Activation::kGelu, nn::Activation::kRelu}) {
      const Floats zeros(static_cast<std::size_t>(dim), 0.0F);
      Floats trained = x, slope = x, run = x;
      activation_forward({rows, dim}, activation, zeros.data(), trained.data(), slope.data());
      (activation == nn::Activation::kGelu ? kernels_.gelu_rows : kernels_.relu_rows)(
          rows, dim, run.data(), nullptr);
      EXPECT_EQ(trained, run);
    }
  }
}

TEST_F(KernelParity, Attention) {
  const nn::Packing queries = packed({4, 1, 6}), keys = packed({9, 17, 40});
  for (const nn::HeadShape shape : kShapes) {
    const int dim = shape.dim;
    const Floats q = random(queries.tokens() * dim), kv = random(keys.tokens() * 2 * dim);
    const Floats bias = random(shape.heads);
    for (const float* match : {static_cast<const float*>(nullptr), bias.data()}) {
      const AttentionShape all{queries, keys, shape.heads, dim, /*causal=*/false, match};
      Floats weights = room(attention_weights(all)), trained = q, run = q;
      attention_forward(all, {{q.data(), dim}, {kv.data(), 2 * dim}, {kv.data() + dim, 2 * dim}},
                        weights.data(), {trained.data(), dim});
      Floats scores = room(64 * shape.heads);
      for (std::int64_t row = 0; row < queries.rows(); ++row) {
        const float* first = kv.data() + keys.begin(row) * 2 * dim;
        const nn::Memories memories{first, first + dim, 2 * dim, keys.length(row)};
        for (std::int64_t i = queries.begin(row); i < queries.end(row); ++i) {
          const float* query = q.data() + i * dim;
          float* out = run.data() + i * dim;
          if (match == nullptr) {
            kernels_.attend(shape, query, memories, scores.data(), out);
          } else {
            kernels_.attend_last_match(shape, {query, match}, {memories, {}}, {}, out);
          }
        }
      }
      EXPECT_EQ(trained, run) << dim;
    }
  }
}

TEST_F(KernelParity, Window) {
  const nn::Packing rows = packed({5, 1, 12});
  const int window = 1, dilation = 2, slots = 3;
  for (const nn::HeadShape shape : kShapes) {
    const int dim = shape.dim;
    const Floats qkv = random(rows.tokens() * 3 * dim), bias = random(slots * shape.heads);
    const Floats value = random(slots * dim);
    Floats weights = room(rows.tokens() * slots * shape.heads), scores = room(slots * shape.heads);
    Floats trained = room(rows.tokens() * dim), run = trained;
    window_forward({rows, shape.heads, dim, window, dilation},
                   {qkv.data(), bias.data(), value.data()}, weights.data(), trained.data());
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      for (std::int64_t i = rows.begin(row); i < rows.end(row); ++i) {
        std::vector<const float*> memories;
        for (const int slot : {-1, 0, 1}) {
          const std::int64_t other = i + slot * dilation;
          const bool inside = other >= rows.begin(row) && other < rows.end(row);
          memories.push_back(inside ? qkv.data() + other * 3 * dim : nullptr);
        }
        kernels_.attend_window(shape, {bias.data(), value.data()}, qkv.data() + i * 3 * dim,
                               {memories.data(), slots}, scores.data(), run.data() + i * dim);
      }
    }
    EXPECT_EQ(trained, run) << dim;
  }
}

TEST_F(KernelParity, NearestMatch) {
  const nn::Packing rows = packed({5, 1, 8, 23});
  const float scale[] = {0.3F, 0.8F, -0.4F};
  for (const nn::HeadShape shape : kShapes) {
    const GeometricShape all{rows, shape.heads, shape.dim};
    const std::int64_t width = all.input_width();
    const Floats x = random(rows.tokens() * width);
    Floats shares = room(geometric_shares(all));
    Floats trained = room(rows.tokens() * shape.dim), run = trained;
    geometric_forward(all, scale, {x.data(), width}, shares.data(), {trained.data(), shape.dim});
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      const std::int64_t begin = rows.begin(row), count = rows.length(row);
      Floats work = room(nn::nearest_room(shape, count));
      kernels_.attend_nearest_match(shape, {x.data() + begin * width, count, scale}, work.data(),
                                    nullptr, run.data() + begin * shape.dim);
    }
    EXPECT_EQ(trained, run) << shape.dim;
  }
}

}  // namespace
}  // namespace nrs::learn::kernels

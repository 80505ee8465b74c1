// Every copy of the kernels that this processor can run, beside plain sums in double precision.
#include "nn/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/rng.h"
#include "nn/layers.h"
#include "random_model.h"

namespace nrs::nn {
#ifdef NRS_TEST_COPIES
namespace x86_64 {
extern const Kernels kKernels;
}
#endif

namespace {

std::vector<const Kernels*> copies() {
  std::vector<const Kernels*> all{&common::kKernels};
#ifdef NRS_TEST_COPIES
  all.push_back(&x86_64::kKernels);
  if (has_avx2()) all.push_back(&avx2::kKernels);
  if (has_avx512()) all.push_back(&avx512::kKernels);
#endif
  return all;
}

std::vector<float> random_floats(int count, Rng& rng) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(4 * rng.uniform() - 2);
  return values;
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// What one head of a query is given of its memories: share j of values + j * stride.
using Shares = std::function<std::vector<double>(const std::vector<double>& dots, int head)>;

std::vector<double> softmax(std::vector<double> scores) {
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score);
  for (double& score : scores) score /= sum;
  return scores;
}

std::vector<double> found_by(HeadShape shape, const float* query,
                             const std::vector<const float*>& keys,
                             const std::vector<const float*>& values, const Shares& shares_of) {
  const int width = shape.dim / shape.heads;
  std::vector<double> found(static_cast<std::size_t>(shape.dim), 0.0);
  for (int head = 0; head < shape.heads; ++head) {
    const int first = head * width;
    std::vector<double> dots;
    for (const float* key : keys) {
      dots.push_back(0);
      for (int d = first; d < first + width; ++d) dots.back() += double{query[d]} * key[d];
    }
    const std::vector<double> shares = shares_of(dots, head);
    for (std::size_t j = 0; j < keys.size(); ++j) {
      for (int d = first; d < first + width; ++d) {
        found[static_cast<std::size_t>(d)] += shares[j] * values[j][d];
      }
    }
  }
  return found;
}

void expect_near(const std::vector<float>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-5) << i;
}

// Widths of a head that have code of their own, and others.
const std::vector<HeadShape> kShapes{{1, 1}, {1, 5},  {2, 16}, {3, 21}, {4, 64},
                                     {8, 8}, {3, 72}, {2, 64}, {1, 64}, {5, 95}};

class EveryCopy : public testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& kernels() const { return *GetParam(); }
  Rng rng_{1};
};

TEST_P(EveryCopy, MultipliesAndARowDoesNotDependOnItsCompanions) {
  const auto size = [](int number) { return static_cast<std::uint64_t>(number); };
  for (const int in : {1, 7, 30, 64}) {
    for (const int out : {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 192}) {
      WeightMap weights = random_weights({{"w", {size(out), size(in)}}, {"b", {size(out)}}}, 5);
      const LayerMatrix matrix(weights["w"], weights["b"].values, kernels());
      const int rows = 25;
      const std::vector<float> x = random_floats(rows * in, rng_);
      std::vector<float> all(size(rows * out)), some(all.size(), 1.0F);
      std::vector<double> expected;
      matrix.multiply(x.data(), rows, all.data());
      for (int row = 0, count = 1; row < rows; row += count, count = count % 7 + 1) {
        const int there = std::min(count, rows - row);
        matrix.multiply_add(x.data() + row * in, there, some.data() + row * out);
      }
      for (int r = 0; r < rows; ++r) {
        for (int o = 0; o < out; ++o) {
          expected.push_back(weights["b"].values[size(o)]);
          for (int i = 0; i < in; ++i) {
            expected.back() += double{x[size(r * in + i)]} * weights["w"].values[size(o * in + i)];
          }
          EXPECT_EQ(some[size(r * out + o)], 1.0F + all[size(r * out + o)]) << in << " " << out;
        }
      }
      expect_near(all, expected);
    }
  }
}

TEST_P(EveryCopy, NormsRows) {
  for (const int dim : {1, 3, 8, 17, 64}) {
    const std::vector<float> gamma = random_floats(dim, rng_), beta = random_floats(dim, rng_);
    std::vector<float> x = random_floats(3 * dim, rng_);
    std::vector<double> expected, expected_stats;
    std::vector<float> stats(6);
    for (int row = 0; row < 3; ++row) {
      const float* from = x.data() + row * dim;
      double mean = 0, variance = 0;
      for (int d = 0; d < dim; ++d) mean += double{from[d]} / dim;
      for (int d = 0; d < dim; ++d) variance += (from[d] - mean) * (from[d] - mean) / dim;
      expected_stats.insert(expected_stats.end(), {mean, 1 / std::sqrt(variance + 1e-5)});
      for (std::size_t d = 0; d < gamma.size(); ++d) {
        expected.push_back((from[d] - mean) / std::sqrt(variance + 1e-5) * gamma[d] + beta[d]);
      }
    }
    kernels().norm_rows({gamma.data(), beta.data(), dim}, x.data(), 3, x.data(), stats.data());
    expect_near(x, expected);
    if (dim > 1) expect_near(stats, expected_stats);  // else 1 / sqrt(epsilon), which is large
  }
}

TEST_P(EveryCopy, ActivatesAndGates) {
  for (const int columns : {1, 5, 8, 19}) {
    const std::vector<float> x = random_floats(3 * columns, rng_);
    const std::vector<float> gate = random_floats(3 * columns, rng_);
    const std::vector<float> c = random_floats(3 * columns, rng_);
    std::vector<float> relu = x, gelu = x, gated = x;
    std::vector<float> relu_slope = x, gelu_slope = x, without_slope = x;
    kernels().relu_rows(3, columns, relu.data(), relu_slope.data());
    kernels().gelu_rows(3, columns, gelu.data(), gelu_slope.data());
    kernels().gelu_rows(3, columns, without_slope.data(), nullptr);
    EXPECT_EQ(gelu, without_slope);
    kernels().gate_rows(gate.data(), c.data(), 3, columns, gated.data());
    std::vector<double> expect_relu, expect_gelu, expect_gated, expect_steps, expect_slopes;
    for (std::size_t i = 0; i < x.size(); ++i) {
      expect_relu.push_back(std::max(x[i], 0.0F));
      expect_gelu.push_back(0.5 * x[i] * (1 + std::erf(x[i] / std::sqrt(2.0))));
      expect_steps.push_back(x[i] > 0 ? 1 : 0);
      expect_slopes.push_back(0.5 * (1 + std::erf(x[i] / std::sqrt(2.0))) +
                              x[i] * std::exp(-x[i] * x[i] / 2.0) / std::sqrt(2 * M_PI));
      expect_gated.push_back(x[i] + sigmoid(gate[i]) * (c[i] - x[i]));
    }
    expect_near(relu, expect_relu);
    expect_near(gelu, expect_gelu);
    expect_near(relu_slope, expect_steps);
    expect_near(gelu_slope, expect_slopes);
    expect_near(gated, expect_gated);
  }
}

TEST_P(EveryCopy, AttendsToAll) {
  for (const HeadShape shape : kShapes) {
    const double scale = 1 / std::sqrt(double(shape.dim / shape.heads));
    for (const int count : {0, 1, 2, 7, 8, 17, 33}) {
      const std::vector<float> query = random_floats(shape.dim, rng_);
      const std::vector<float> memory = random_floats(count * 2 * shape.dim, rng_);
      std::vector<const float*> keys, values;
      for (int j = 0; j < count; ++j) {
        keys.push_back(memory.data() + 2 * j * shape.dim);
        values.push_back(keys.back() + shape.dim);
      }
      const auto weights = static_cast<std::size_t>(count * shape.heads);
      std::vector<float> scores(weights), out(query.size(), 9.0F);
      const Memories memories{memory.data(), memory.data() + shape.dim, 2 * shape.dim, count};
      kernels().attend(shape, query.data(), memories, scores.data(), out.data());
      for (int head = 0; count > 0 && head < shape.heads; ++head) {
        double sum = 0;
        for (std::size_t i = 0; i < weights; ++i) {
          if (i % static_cast<std::size_t>(shape.heads) == static_cast<std::size_t>(head))
            sum += scores[i];
        }
        EXPECT_NEAR(sum, 1, 1e-5);
      }
      expect_near(out, found_by(shape, query.data(), keys, values, [&](auto dots, int) {
                    for (double& dot : dots) dot *= scale;
                    return softmax(dots);
                  }));
    }
  }
}

TEST_P(EveryCopy, AttendsToAWindow) {
  const int slots = 5;
  for (const HeadShape shape : kShapes) {
    const int dim = shape.dim, heads = shape.heads;
    const double scale = 1 / std::sqrt(double(dim / heads));
    const std::vector<float> rows = random_floats(slots * 3 * dim, rng_);
    const std::vector<float> bias = random_floats(slots * heads, rng_);
    const std::vector<float> added = random_floats(slots * dim, rng_);
    for (const auto& [from, to] :
         std::vector<std::pair<int, int>>{{0, 5}, {2, 5}, {1, 3}, {2, 3}}) {
      std::vector<const float*> memories(slots, nullptr), keys, values;
      std::vector<std::vector<float>> sums;
      for (int s = from; s < to; ++s) {
        const float* row = memories[static_cast<std::size_t>(s)] = rows.data() + s * 3 * dim;
        keys.push_back(row + dim);
        sums.emplace_back(row + 2 * dim, row + 3 * dim);
        for (int d = 0; d < dim; ++d) {
          sums.back()[static_cast<std::size_t>(d)] += added[static_cast<std::size_t>(s * dim + d)];
        }
      }
      for (const std::vector<float>& sum : sums) values.push_back(sum.data());
      const float* query = rows.data() + 2 * 3 * dim;
      std::vector<float> scores(static_cast<std::size_t>(slots * heads)), out(sums[0].size(), 9.0F);
      kernels().attend_window(shape, {bias.data(), added.data()}, query, {memories.data(), slots},
                              scores.data(), out.data());
      expect_near(out, found_by(shape, query, keys, values, [&](auto dots, int head) {
                    for (std::size_t j = 0; j < dots.size(); ++j) {
                      const auto slot = j + static_cast<std::size_t>(from);
                      const auto at = slot * static_cast<std::size_t>(heads);
                      dots[j] = scale * dots[j] + bias[at + static_cast<std::size_t>(head)];
                    }
                    return softmax(dots);
                  }));
    }
  }
}

TEST_P(EveryCopy, AttendsToTheLastMatch) {
  for (const HeadShape shape : kShapes) {
    const double scale = 1 / std::sqrt(double(shape.dim / shape.heads));
    const std::vector<float> bias = random_floats(shape.heads, rng_);
    for (const int count : {0, 1, 2, 15, 16, 17, 40}) {
      const std::vector<float> query = random_floats(shape.dim, rng_);
      const std::vector<float> memory = random_floats(count * 2 * shape.dim, rng_);
      std::vector<const float*> keys, values;
      for (int j = 0; j < count; ++j) {
        keys.push_back(memory.data() + 2 * j * shape.dim);
        values.push_back(keys.back() + shape.dim);
      }
      const auto part = [&](int from, int to) {
        const float* first = memory.data() + from * 2 * shape.dim;
        return from == to ? Memories{}
                          : Memories{first, first + shape.dim, 2 * shape.dim, to - from};
      };
      std::vector<float> out(query.size(), 9.0F);
      const int cut = count / 3;
      kernels().attend_last_match(shape, {query.data(), bias.data()},
                                  {part(0, cut), part(cut, count)}, {}, out.data());
      // The same whether or not the shares are kept, and in one part.
      std::vector<float> shares(static_cast<std::size_t>(count * shape.heads), -1.0F), again = out;
      kernels().attend_last_match(shape, {query.data(), bias.data()}, {part(0, count), {}},
                                  {shares.data(), count}, again.data());
      EXPECT_EQ(out, again);
      for (const float share : shares) EXPECT_TRUE(share > 0 && share <= 1) << share;
      expect_near(out, found_by(shape, query.data(), keys, values, [&](auto dots, int head) {
                    double left = 1;
                    for (std::size_t j = dots.size(); j-- > 0;) {
                      const double share =
                          sigmoid(scale * dots[j] + bias[static_cast<std::size_t>(head)]);
                      dots[j] = share * left;
                      left *= 1 - share;
                    }
                    return dots;
                  }));
    }
  }
}

TEST_P(EveryCopy, AttendsToTheNearestMatch) {
  const std::vector<float> scale{0.3F, 0.5F, -0.2F};
  for (const HeadShape shape : kShapes) {
    const int dim = shape.dim, heads = shape.heads, stride = 3 * dim + 2 * heads;
    for (const int count : {1, 2, 9, 21}) {
      const std::vector<float> in = random_floats(count * stride, rng_);
      std::vector<float> room(static_cast<std::size_t>(nearest_room(shape, count)));
      std::vector<float> shares(static_cast<std::size_t>(heads * nearest_shares(count)), -1.0F);
      std::vector<float> all(static_cast<std::size_t>(count * dim), 9.0F), again = all;
      const NearestColumns columns{in.data(), count, scale.data()};
      kernels().attend_nearest_match(shape, columns, room.data(), nullptr, all.data());
      kernels().attend_nearest_match(shape, columns, room.data(), shares.data(), again.data());
      EXPECT_EQ(all, again);
      for (const float share : shares) EXPECT_TRUE(share >= 0 && share <= 1) << share;
      for (int at = 0; at < count; ++at) {
        std::vector<int> order;  // of the keys
        for (int m = 1; m < count; ++m) {
          if (at + m < count) order.push_back(at + m);
          if (at - m >= 0) order.push_back(at - m);
        }
        std::vector<const float*> keys, values;
        for (const int other : order) {
          keys.push_back(in.data() + other * stride + dim);
          values.push_back(keys.back() + dim);
        }
        const float* query = in.data() + at * stride;
        const std::vector<float> out(all.begin() + at * dim, all.begin() + (at + 1) * dim);
        expect_near(out, found_by(shape, query, keys, values, [&](auto dots, int head) {
                      double left = 1;
                      for (std::size_t j = 0; j < dots.size(); ++j) {
                        const float side = query[3 * dim + head + (order[j] > at ? 0 : heads)];
                        const double share =
                            sigmoid(scale[0] * dots[j] + scale[1] * side + scale[2]);
                        dots[j] = share * left;
                        left *= 1 - share;
                      }
                      return dots;
                    }));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryCopy, testing::ValuesIn(copies()),
                         [](const auto& copy) { return std::string(copy.param->name); });

TEST(Kernels, TheFastestThatThisProcessorCanRunAreTaken) {
#ifdef NRS_KERNEL_COPIES
  EXPECT_STREQ(best_kernels().name, has_avx512() ? "avx512" : has_avx2() ? "avx2" : "common");
#else
  EXPECT_STREQ(best_kernels().name, "common");
#endif
}

#ifdef NRS_TEST_COPIES
TEST(Kernels, VectorsAreAsLongAsTheRegistersOfTheProcessor) {
  EXPECT_EQ(x86_64::kKernels.panel, 2 * 4);
  EXPECT_EQ(avx2::kKernels.panel, 2 * 8);
  EXPECT_EQ(avx512::kKernels.panel, 16);
}
#endif

}  // namespace
}  // namespace nrs::nn

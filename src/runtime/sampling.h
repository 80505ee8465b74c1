#pragma once
// Draws symbols from the distribution that a decoder gives.
#include <cstdint>
#include <vector>

#include "base/rng.h"

namespace nrs::runtime {

// A symbol that comes next, for so many of the samples.
struct Branch {
  std::int32_t symbol = 0;
  int samples = 0;
  double log_prob = 0;
};

// The likeliest symbol; logits [vocabulary].
Branch likeliest(const float* logits, int vocabulary);

// How many of `samples` draws from softmax(logits) fall on each symbol, those with none left out;
// the likeliest symbol first. Law: the same distribution as drawing one after the other. It costs
// about as much as there are branches, so that a thousand samples of which nearly all are the same
// cost as much as one.
void draw_branches(const float* logits, int vocabulary, int samples, Rng& rng,
                   std::vector<Branch>& branches);

// How many of `count` events of this probability happen.
int draw_binomial(int count, double probability, Rng& rng);

}  // namespace nrs::runtime

#pragma once
// How one module is trained: optimiser, schedule, batches, validation. The same list-once structs
// as those of the architecture (base/fields.h).
#include <array>
#include <string_view>
#include <utility>

#include "base/fields.h"

namespace nrs::recipe {

enum class Optimiser { kAdam, kAdamW };
constexpr auto enum_names(Optimiser) {
  return std::to_array<EnumName<Optimiser>>({
      {Optimiser::kAdam, "adam"},
      {Optimiser::kAdamW, "adamw"},
  });
}

// What the learning rate does after the warm-up.
enum class Decay { kFlat, kLinear, kCosine };
constexpr auto enum_names(Decay) {
  return std::to_array<EnumName<Decay>>({
      {Decay::kFlat, "flat"},
      {Decay::kLinear, "linear"},
      {Decay::kCosine, "cosine"},
  });
}

// What a batch is made of.
enum class Sampling {
  kUniform,  // each group of difficulty as often as any other; alike within a group
  kLoss,     // what came out worst lately more often
};
constexpr auto enum_names(Sampling) {
  return std::to_array<EnumName<Sampling>>({
      {Sampling::kUniform, "uniform"},
      {Sampling::kLoss, "loss"},
  });
}

// Which weights a run ends with.
enum class Keep {
  kBest,  // of the best validation
  kLast,  // of the last one: where validation is too small to tell good from better
};
constexpr auto enum_names(Keep) {
  return std::to_array<EnumName<Keep>>({
      {Keep::kBest, "best"},
      {Keep::kLast, "last"},
  });
}

struct TrainConfig {
  int steps = 400;
  int batch = 64;
  Optimiser optimiser = Optimiser::kAdamW;
  double rate = 2e-3;
  double weight_decay = 0.1;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double clip = 1;
  int warmup = 50;
  double warmup_from = 0;
  Decay decay = Decay::kLinear;
  double decay_share = 0.3;
  int decay_steps = 0;
  double final_rate = 0;
  double average = 0.998;
  Sampling sampling = Sampling::kLoss;
  double least_weight = 0.03;
  double most_weight = 2;
  double balance = 0;
  double easy_first = 0;
  double final_share = 0.0625;
  bool teacher_forcing = true;
  int validate_every = 100;
  int patience = 3;
  Keep keep = Keep::kBest;

  template <class Visitor>
  void visit(Visitor& v) {
    v("steps", steps, "optimiser steps", Range{1, 100'000'000});
    v("batch", batch, "examples per step", Range{1, 1 << 16});
    v("optimiser", optimiser, "adam, or adamw with weight decay apart from the gradient");
    v("rate", rate, "learning rate after warm-up", Range{0.0, 10.0});
    v("weight_decay", weight_decay, "of adamw", Range{0.0, 10.0});
    v("beta1", beta1, "memory of the mean gradient", Range{0.0, 0.99999});
    v("beta2", beta2, "memory of the squared gradient", Range{0.0, 0.999999});
    v("clip", clip, "longest gradient; 0: no clipping", Range{0.0, 1e6});
    v("warmup", warmup, "steps over which the rate rises", Range{0, 100'000'000});
    v("warmup_from", warmup_from, "first rate, as a fraction of the full one", Range{0.0, 1.0});
    v("decay", decay, "what the rate does after warm-up");
    v("decay_share", decay_share, "last fraction of the steps, in which the rate falls",
      Range{0.0, 1.0});
    v("decay_steps", decay_steps,
      "fall from the end of warm-up over this many steps; 0: decay_share", Range{0, 100'000'000});
    v("final_rate", final_rate, "last rate, as a fraction of the full one", Range{0.0, 1.0});
    v("average", average, "memory of the moving average of the weights; 0: none",
      Range{0.0, 0.999999});
    v("sampling", sampling,
      "which leaves are drawn (Solver), and whether hard formulas come again (Selector)");
    v("least_weight", least_weight, "of a leaf, when drawn by loss", Range{1e-6, 1e3});
    v("most_weight", most_weight, "of a leaf, when drawn by loss", Range{1e-6, 1e3});
    v("balance", balance,
      "weight of all leaves of a group n times smaller than the largest: times n to this power",
      Range{0.0, 1.0});
    v("easy_first", easy_first,
      "fraction of the steps before the deepest formulas come, the shallower half of the nestings "
      "at "
      "first; 0: all from the start (router)",
      Range{0.0, 1.0});
    v("final_share", final_share, "fraction of a batch that is final formulas (Solver)",
      Range{0.0, 1.0});
    v("teacher_forcing", teacher_forcing,
      "feed the decoder the right prefix; otherwise its own (Solver)");
    v("validate_every", validate_every, "steps between validations", Range{1, 100'000'000});
    v("patience", patience, "stop after this many perfect validations in a row; 0: never",
      Range{0, 1'000'000});
    v("keep", keep, "the weights of the best validation, or of the last");
  }
};

}  // namespace nrs::recipe

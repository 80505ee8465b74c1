#pragma once
// Property tests: a law that must hold for everything RapidCheck can think of.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "base/rng.h"
#include "nrs/domain.h"

namespace nrs {

// Fails the current test with the shrunken counterexample.
template <class Law>
void check_law(const std::string& description, Law law) {
  EXPECT_TRUE(rc::check(description, law));
}

// A formula of any domain, level and number of arguments.
struct AnyFormula {
  const Domain* domain;
  Shape shape;
  Sample sample;
};

inline AnyFormula any_formula(int most_nesting = 5) {
  AnyFormula any{};
  any.domain =
      *rc::gen::elementOf(std::vector<const Domain*>(all_domains().begin(), all_domains().end()));
  any.shape.nesting = *rc::gen::inRange(0, most_nesting + 1);
  any.shape.args = *rc::gen::inRange(2, any.domain->most_args() + 1);
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  any.domain->generate(any.shape, rng, any.sample);
  return any;
}

}  // namespace nrs

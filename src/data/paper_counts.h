#pragma once
// The numbers of the paper's data sets, by domain.
#include <vector>

#include "nrs/domain.h"

namespace nrs::data {

// How many distinct examples of one difficulty the paper's protocol takes.
struct PaperGroup {
  Shape shape;
  int step = 0;  // after this many rewrites of the last leaf
  int train = 0;
  int valid_id = 0;
};

// The paper's numbers for one domain (spec: configuration of the authors' data sets).
struct PaperCounts {
  std::vector<PaperGroup> selector{};  // training and in-distribution validation
  int ood_from = 4;                    // levels of the out-of-distribution validation formulas
  int ood_to = 6;
  int ood_base = 0;          // formulas per level (and number of arguments)
  int ood_per_key = 0;       // rows kept per depth and number of arguments of the last leaf
  int test_to = 6;           // test levels are 1..test_to
  int test_per_level = 100;  // formulas, over all numbers of arguments
  int test_leaves = 100;     // the same for level 1, where a domain may have few
  int solver_train = 0;      // distinct leaves and atoms
  int solver_valid = 0;

  // What the paper's tables say, where the groups above do not add up to it.
  int published_selector_train = 0;
  int published_selector_valid_id = 0;
  int published_selector_valid_ood = 0;
  int published_test = 600;
};

// Throws Error (usage) for a domain that is not the paper's.
const PaperCounts& paper_counts(const Domain& domain);

}  // namespace nrs::data

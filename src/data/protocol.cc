#include "data/protocol.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/rng.h"
#include "data/distinct.h"
#include "data/paper_counts.h"

namespace nrs::data {
namespace {

// Makes the groups of one domain. `held_out` collects what test and validation have taken, of all
// domains: an atom of one may be an atom of another.
class DomainData {
 public:
  DomainData(const Domain& domain, const ProtocolRequest& request, SeenTexts& held_out,
             const std::function<void(DataGroup&&)>& take)
      : domain_(domain),
        counts_(paper_counts(domain)),
        request_(request),
        space_(space_of(request.protocol)),
        seed_(mix(request.seed, hash_text(domain.name()))),
        held_out_(held_out),
        take_(take) {}

  void make_test() {
    for (int nesting = 1; nesting <= counts_.test_to; ++nesting) {
      const int wanted = nesting == 1 ? counts_.test_leaves : counts_.test_per_level;
      const int kinds = domain_.most_args() - 1;
      for (int args = 2; args <= domain_.most_args(); ++args) {
        // 100 over three kinds of arguments: 33, 33, 34.
        const int share = wanted * (args - 1) / kinds - wanted * (args - 2) / kinds;
        DataGroup whole = group(Part::kWhole, Split::kTest, {nesting, args}, share);
        fill(whole, held_out_);
        DataGroup selector = whole;
        selector.part = Part::kSelector;
        take_(std::move(selector));
        take_(std::move(whole));
      }
    }
  }

  void make_solver() {
    request_.protocol == Protocol::kFull ? make_full_solver() : make_paper_solver();
  }

  void make_selector_validation() {
    for (const PaperGroup& counts : counts_.selector) {
      // Both splits together, to see how many formulas there are.
      DataGroup valid = group(Part::kSelector, Split::kValidId, counts.shape,
                              counts.valid_id + counts.train, counts.step);
      SeenTexts seen = held_out_;
      fill(valid, seen);
      const std::size_t existing = valid.rows.size();
      const std::size_t most = existing < valid.wanted ? existing / 10 : existing;
      valid.wanted = static_cast<std::size_t>(counts.valid_id);
      valid.rows.resize(std::min(valid.wanted, most));
      for (const DataRow& row : valid.rows) held_out_.insert(row.example.formula);
      take_(std::move(valid));
    }
  }

  void make_selector_training() {
    for (const PaperGroup& counts : counts_.selector) {
      DataGroup train =
          group(Part::kSelector, Split::kTrain, counts.shape, counts.train, counts.step);
      SeenTexts seen = held_out_;
      fill(train, seen);
      take_(std::move(train));
    }
  }

  // Deep formulas and all that becomes of them on the way to their value, the same number for each
  // depth: so most are partly solved, and of every shape that an engine will meet.
  void make_out_of_distribution() {
    std::map<std::pair<int, int>, std::vector<DataRow>> by_key;
    for (int nesting = counts_.ood_from; nesting <= counts_.ood_to; ++nesting) {
      for (int args = 2; args <= domain_.most_args(); ++args) {
        const DataGroup base =
            group(Part::kSelector, Split::kValidOod, {nesting, args}, counts_.ood_base);
        SeenTexts seen;  // only the rows that are kept take a formula away from others
        draw_samples(base, seen, [&](const Sample& sample) { add_chain(sample, by_key); });
      }
    }
    for (auto& [key, rows] : by_key) {
      DataGroup kept =
          group(Part::kSelector, Split::kValidOod, {key.first, key.second}, counts_.ood_per_key);
      // Of the few formulas of the least depth most are needed for training.
      const std::size_t existing = domain_.listable(kept.shape).value_or(10 * kept.wanted);
      const std::size_t most = std::min(kept.wanted, existing / 10);
      Rng rng(draw_seed(kept));
      rng.shuffle(rows);
      for (DataRow& row : rows) {
        if (kept.rows.size() == most) break;
        if (held_out_.insert(row.example.formula)) kept.rows.push_back(std::move(row));
      }
      take_(std::move(kept));
    }
  }

 private:
  // Without its rows.
  DataGroup group(Part part, Split split, Shape shape, int wanted = 0, int step = 0) const {
    shape.space = space_;
    return {part, split, &domain_, shape, step, static_cast<std::size_t>(wanted), {}};
  }

  std::uint64_t draw_seed(const DataGroup& made) const {
    std::uint64_t seed = seed_;
    for (const int part : {static_cast<int>(made.part), static_cast<int>(made.split),
                           made.shape.nesting, made.shape.args, made.step}) {
      seed = mix(seed, static_cast<std::uint64_t>(part));
    }
    return seed;
  }

  void draw_samples(const DataGroup& wanted, SeenTexts& seen, const TakeSample& take) const {
    draw_distinct(domain_,
                  {.shape = wanted.shape,
                   .step = wanted.step,
                   .count = wanted.wanted,
                   .seed = draw_seed(wanted),
                   .threads = request_.threads},
                  seen, take);
  }

  void fill(DataGroup& wanted, SeenTexts& seen) const {
    draw_samples(wanted, seen, [&](const Sample& sample) {
      wanted.rows.push_back({make_example(domain_, sample.formula), sample.value});
    });
  }

  // The atoms, or the leaves, all that there are.
  DataGroup all(Shape shape) const {
    DataGroup made = group(Part::kSolver, Split::kTrain, shape);
    domain_.for_each_formula(made.shape, [&](std::string_view text, std::string_view value) {
      made.rows.push_back({make_example(domain_, std::string(text)), std::string(value)});
    });
    made.wanted = made.rows.size();
    return made;
  }

  void add_chain(const Sample& sample,
                 std::map<std::pair<int, int>, std::vector<DataRow>>& by_key) const {
    std::string formula = sample.formula;
    do {
      RewriteExample example = make_example(domain_, formula);
      const int args = domain_.args(example.steps.back().leaf.of(formula));
      by_key[{domain_.nesting(formula), args}].push_back({std::move(example), sample.value});
    } while (rewrite_last(domain_, 1, sample.signs_merged, formula));
  }

  void make_full_solver() {
    take_(all({0, kLeastArgs}));
    for (int args = 2; args <= domain_.most_args(); ++args) take_(all({1, args}));
  }

  // Every atom is trained on: omega has to be learnt for each. (The authors' random split keeps
  // some for validation, and a logic model that never met `q` alone cannot know that it is final.)
  // The leaves are cut at random into the paper's numbers; those of the test set are left out.
  void make_paper_solver() {
    DataGroup halting = all({0, kLeastArgs});
    const std::size_t train_leaves =
        static_cast<std::size_t>(counts_.solver_train) - halting.rows.size();
    const std::size_t all_leaves = train_leaves + static_cast<std::size_t>(counts_.solver_valid);
    take_(std::move(halting));

    std::vector<std::pair<int, DataRow>> leaves;  // with their number of arguments
    SeenTexts seen = held_out_;                   // so far: the test set
    for (int args = 2; args <= domain_.most_args(); ++args) {
      DataGroup drawn = group(Part::kSolver, Split::kTrain, {1, args});
      drawn.wanted = all_leaves - leaves.size();
      fill(drawn, seen);
      for (DataRow& row : drawn.rows) leaves.emplace_back(args, std::move(row));
    }
    Rng rng(mix(seed_, static_cast<std::uint64_t>(Part::kSolver)));
    rng.shuffle(leaves);
    for (int args = 2; args <= domain_.most_args(); ++args) {
      DataGroup train = group(Part::kSolver, Split::kTrain, {1, args});
      DataGroup valid = group(Part::kSolver, Split::kValidId, {1, args});
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i].first != args) continue;
        (i < train_leaves ? train : valid).rows.push_back(std::move(leaves[i].second));
      }
      train.wanted = train.rows.size();
      valid.wanted = valid.rows.size();
      take_(std::move(train));
      take_(std::move(valid));
    }
  }

  const Domain& domain_;
  const PaperCounts& counts_;
  const ProtocolRequest& request_;
  FormulaSpace space_;
  std::uint64_t seed_;
  SeenTexts& held_out_;
  const std::function<void(DataGroup&&)>& take_;
};

}  // namespace

FormulaSpace space_of(Protocol protocol) {
  return protocol == Protocol::kPaper ? FormulaSpace::kPaper : FormulaSpace::kWhole;
}

void make_protocol_data(const ProtocolRequest& request,
                        const std::function<void(DataGroup&&)>& take) {
  SeenTexts held_out;
  std::vector<DomainData> domains;
  for (const Domain* domain : request.domains)
    domains.emplace_back(*domain, request, held_out, take);
  // The order matters: what a later split makes keeps out of the way of the earlier ones.
  for (DomainData& domain : domains) domain.make_test();
  for (DomainData& domain : domains) domain.make_solver();
  if (!request.selector) return;
  for (DomainData& domain : domains) domain.make_selector_validation();
  for (DomainData& domain : domains) domain.make_out_of_distribution();
  for (DomainData& domain : domains) domain.make_selector_training();
}

}  // namespace nrs::data

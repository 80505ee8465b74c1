#pragma once
// What both architectures of the paper have in common: a network that finds leaves, and a Solver.
// Either may be missing in a file while the other is trained alone.
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "architectures/architecture.h"
#include "model/networks.h"
#include "rewrite/modular.h"
#include "runtime/solver.h"

namespace nrs::architectures {

// A Rewriter with the networks that it runs on: `Base` is FastNrs or Nrs, `Finder` its first
// module.
template <class Base, class Finder>
class NetworkRewriter final : public Base {
 public:
  template <class FinderOptions>
  NetworkRewriter(const model::Model& model, const FinderOptions& finder,
                  const runtime::SolverOptions& solver)
      : NetworkRewriter(std::make_unique<const Networks>(model, finder, solver)) {}

  void check(std::string_view formula) const override {
    networks_->selector_model.tokens.encode(formula);
  }
  std::vector<std::string> tokens() const override {
    return networks_->selector_model.tokens.tokens();
  }

 private:
  struct Networks {
    template <class FinderOptions>
    Networks(const model::Model& model, const FinderOptions& finder_options,
             const runtime::SolverOptions& solver_options)
        : selector_model(model::selector_of(model)),
          solver_model(model::solver_of(model)),
          finder(selector_model, finder_options),
          solver(solver_model, solver_options) {}

    model::SelectorModel selector_model;
    model::SolverModel solver_model;
    Finder finder;
    runtime::ModelSolver solver;
  };

  explicit NetworkRewriter(std::unique_ptr<const Networks> networks)
      : Base(networks->finder, networks->solver, networks->solver_model.min_log_prob),
        networks_(std::move(networks)) {}

  std::unique_ptr<const Networks> networks_;
};

// A model of one of the two: no other module, and a Selector of this kind if there is one.
bool has_two_modules(const model::Model& model, nn::SelectorKind kind);
// Throws Error (input) unless both are there.
void require_two_modules(const model::Model& model);
runtime::SolverOptions solver_options(const RewriterOptions& options);

Compilable compilable_networks(const model::Model& model);

nlohmann::ordered_json describe_two_modules(const model::Model& model);
// `task` says what the Selector does.
std::vector<InfoLine> summarise_two_modules(
    const model::Model& model, std::string (*task)(const model::SelectorModel& selector));
// `finding` says what the Selector does, in a sentence. A module may be missing.
CardNotes card_of_two_modules(const model::Model& model, std::string_view finding);

}  // namespace nrs::architectures

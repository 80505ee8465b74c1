// nrs confidence: how sure a model's Selector is by length, and its Solver of its leaves; as JSON.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "cli/models.h"
#include "cli/options.h"
#include "data/paper_counts.h"
#include "eval/confidence.h"
#include "eval/origin.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

struct ConfidenceOptions {
  std::string model;
  std::string domain;
  int nesting = 0;
  std::size_t count = 100;
  std::uint64_t seed = 0;
  std::size_t leaves = 100'000;
  int threads = 0;
};

int run(const ConfidenceOptions& options) {
  // What the Selector says first, without the means that help it out.
  const architectures::RunningModel model =
      load_to_run(options.model, {.threads = options.threads, .unaided = true});
  const rewrite::ModularRewriter& rewriter = model.modular();
  std::vector<const Domain*> domains = eval::domains_of(model.model());
  if (!options.domain.empty()) domains = {&find_domain(options.domain)};
  if (domains.empty()) {
    throw Error(ErrorKind::kUsage, "this model does not say which domain it is for",
                "name a domain with --domain");
  }
  const std::optional<data::SeenTexts> trained = eval::trained_leaves(model.model());
  nlohmann::ordered_json object = {{"model", model.model().name},
                                   {"engine", model.architecture().name()},
                                   {"seed", options.seed},
                                   {"threshold", rewriter.threshold().value_or(0)}};
  for (const Domain* domain : domains) {
    const int deepest = data::paper_counts(*domain).test_to;
    const eval::ConfidenceRequest request{
        .domain = domain,
        .space = eval::trained_space(model.model()),
        .nesting = options.nesting > 0 ? options.nesting : deepest,
        .count = options.count,
        .seed = options.seed,
        .most_leaves = options.leaves,
        .trained = trained ? &*trained : nullptr};
    object["domains"][std::string(domain->name())] = {
        {"longest_trained", eval::longest_trained_formula(request)},
        {"selector", eval::selector_confidence(rewriter, request)},
        {"solver", eval::solver_confidence(rewriter, request)}};
  }
  eval::add_origin(object, "nrs " NRS_VERSION, &model.model());
  print(eval::show_columns(object) + "\n");
  return kDone;
}

}  // namespace

void add_confidence(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<ConfidenceOptions>(app, action, "confidence", run);
  add_model_option(*verb, options->model)->required();
  verb->add_option("--domain", options->domain,
                   domain_names() + "; default: those that the model was trained on");
  verb->add_option("--nesting", options->nesting,
                   "bracket depth of the deepest formulas; default: as in the paper")
      ->check(CLI::Range(1, 64))
      ->default_str("");
  verb->add_option("--count", options->count, "formulas per nesting level")
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option("--seed", options->seed, "random seed; the same seed gives the same formulas");
  verb->add_option("--leaves", options->leaves,
                   "maximum number of leaves to ask the Solver, evenly spread over all");
  add_threads_option(*verb, options->threads);
  verb->footer(
      "Prints the Selector's confidence by the length of the formula, and the Solver's confidence "
      "in\n"
      "its leaves.\n"
      "example: nrs confidence --model nrs-arithmetic > confidence.json");
}

}  // namespace nrs::cli

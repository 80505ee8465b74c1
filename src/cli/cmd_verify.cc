// nrs verify: the Solver on every leaf that exists, the Selector on a million contexts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/threads.h"
#include "cli/models.h"
#include "cli/options.h"
#include "eval/origin.h"
#include "eval/verify.h"
#include "nrs/error.h"
#include "taught/verify_taught.h"

namespace nrs::cli {
namespace {

constexpr std::size_t kContexts = 1'000'000;
constexpr std::size_t kTaughtContexts = 10'000;

struct VerifyOptions {
  std::string model;
  std::vector<std::string> domains;
  std::optional<std::size_t> contexts;
  std::uint64_t seed = 0;
  bool store = false;
  bool json = false;
  std::string errors;
  int threads = 0;
};

int without_certificate() {
  complain("interrupted: there is no certificate");
  return 128 + interrupted();
}

// A model that was taught by examples: there are no exact rules to compare with, but they are.
int verify_by_examples(const VerifyOptions& options, const std::filesystem::path& path,
                       const architectures::RunningModel& model) {
  StatusLine status(stderr, errors_are_terminal());
  notice_interrupts();
  const taught::TaughtCheck check =
      taught::verify_taught(model.rewriter(), taught::require_examples(model.model()),
                            {.contexts = options.contexts.value_or(kTaughtContexts),
                             .seed = options.seed,
                             .threads = thread_count(options.threads),
                             .progress = [&](std::size_t done) {
                               if (status.due()) status.show(fmt::format("{} formulas", done));
                               return interrupted() == 0;
                             }});
  status.clear();
  if (interrupted() != 0) return without_certificate();
  nlohmann::ordered_json certificate = {{"model", model::model_checksum(model.model())},
                                        {"program", "nrs " NRS_VERSION},
                                        {"seed", options.seed},
                                        {"examples", taught::to_json(check)}};
  if (options.store) {
    // What was proved of its rules stays true.
    nlohmann::ordered_json all = certificate;
    if (model::has_own_certificate(model.model())) {
      all = nlohmann::ordered_json::parse(*model.model().certificate);
      all.update(certificate);
    }
    eval::store_certificate(path, all);
  }
  print(options.json ? certificate.dump(2) + "\n" : taught::to_text(check));
  return check.nothing_wrong() ? kDone : kNotNormal;
}

std::vector<const Domain*> domains_to_verify(const VerifyOptions& options,
                                             const model::Model& model) {
  std::vector<const Domain*> domains;
  for (const std::string& name : options.domains) domains.push_back(&find_domain(name));
  if (domains.empty()) domains = eval::domains_of(model);
  if (domains.empty()) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("model '{}' does not say which domain it is for", options.model),
        "name it with --domain; models of nrs learn are compared with the examples they keep");
  }
  return domains;
}

// And atoms: so that the progress line can tell how much is left.
std::size_t count_leaves(const Domain& domain) {
  std::size_t count = 0;
  domain.for_each_leaf(FormulaSpace::kWhole, [&](std::string_view, std::string_view) { ++count; });
  domain.for_each_atom([&](std::string_view) { ++count; });
  return count;
}

eval::Certificate verify_domains(const VerifyOptions& options, const model::Model& model,
                                 const rewrite::ModularRewriter& rewriter, AtomicFile* errors) {
  const std::vector<const Domain*> domains = domains_to_verify(options, model);
  const std::optional<data::SeenTexts> trained = eval::trained_leaves(model);
  StatusLine status(stderr, errors_are_terminal());
  std::size_t all_leaves = 0;  // of the domain that is being verified
  const auto progress = [&](const eval::Verification& so_far) {
    if (status.due()) {
      status.show(fmt::format("{}: Solver on {} of {} leaves, Selector on {} contexts",
                              so_far.domain->name(), so_far.leaves.leaves + so_far.atoms.leaves,
                              all_leaves, so_far.selector.contexts));
    }
    return interrupted() == 0;
  };
  eval::VerifyRequest request{.rewriter = &rewriter,
                              .contexts = options.contexts.value_or(kContexts),
                              .seed = options.seed,
                              .threads = options.threads,
                              .trained = trained ? &*trained : nullptr,
                              .on_failure = {},
                              .progress = progress};
  if (errors != nullptr) {
    request.on_failure = [errors](const eval::LeafFailure& failure) {
      errors->write(eval::to_json(failure).dump() + "\n");
    };
  }
  eval::Certificate certificate{.model = model::model_checksum(model),
                                .program = "nrs " NRS_VERSION,
                                .min_log_prob = rewriter.threshold().value_or(0),
                                .seed = options.seed,
                                .domains = {}};
  for (const Domain* domain : domains) {
    request.domain = domain;
    all_leaves = count_leaves(*domain);
    certificate.domains.push_back(eval::verify(request));
  }
  return certificate;
}

int verify_by_rules(const VerifyOptions& options, const std::filesystem::path& path,
                    const architectures::RunningModel& model) {
  std::optional<AtomicFile> errors;
  if (!options.errors.empty()) errors.emplace(options.errors);
  // Found out now, not after minutes of work.
  if (options.store) AtomicFile(path).write("");
  notice_interrupts();
  try {
    const eval::Certificate certificate =
        verify_domains(options, model.model(), model.modular(), errors ? &*errors : nullptr);
    if (errors) errors->commit();
    if (options.store) eval::store_certificate(path, eval::to_json(certificate));
    print(options.json ? eval::to_json(certificate).dump(2) + "\n" : eval::to_text(certificate));
    return certificate.nothing_wrong() ? kDone : kNotNormal;
  } catch (const eval::Interrupted&) {
    return without_certificate();
  }
}

int run_verify(const VerifyOptions& options) {
  const std::filesystem::path path = model_file(options.model);
  // Each leaf comes once, so there is nothing to remember.
  const auto model = architectures::RunningModel::load(path, {.remember = false});
  const bool by_examples = options.domains.empty() && taught::keeps_examples(model.model());
  return by_examples ? verify_by_examples(options, path, model)
                     : verify_by_rules(options, path, model);
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<VerifyOptions>(app, action, "verify", run_verify);
  add_model_option(*verb, options->model)->required();
  verb->add_option("--domain", options->domains,
                   domain_names() + "; default: those the model was trained on")
      ->allow_extra_args(false);
  verb->add_option(
      "--contexts", options->contexts,
      "leaves that the Selector has to find in generated formulas of each domain [1000000]; for a "
      "model made by nrs learn, formulas spliced from its examples [10000]");
  verb->add_option("--seed", options->seed, "random seed; the same seed gives the same formulas");
  verb->add_flag("--store", options->store, "store the certificate in the model file");
  verb->add_flag("--json", options->json, "the certificate as JSON");
  verb->add_option("--errors", options->errors,
                   "file for the leaves that are not right, as JSON lines");
  add_threads_option(*verb, options->threads);
  verb->footer(
      "A model made by nrs learn is asked for its examples, and for longer formulas spliced from "
      "them: a\n"
      "value is replaced by a leaf that has this value and was taught between the same "
      "neighbours.\n"
      "exit status: 0 nothing is wrong (the Solver may be unsure of leaves), 4 otherwise\n"
      "example: nrs verify --model logic");
}

}  // namespace nrs::cli

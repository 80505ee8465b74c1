// nrs verify: the Solver on every leaf that exists, the Selector on a million contexts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/threads.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/other_verbs.h"
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

class Verify {
 public:
  Verify(const VerifyOptions& options, const std::filesystem::path& path,
         const architectures::RunningModel& model)
      : options_(options), path_(path), model_(model), rewriter_(model_.modular()) {
    for (const std::string& name : options.domains) domains_.push_back(&find_domain(name));
    if (domains_.empty()) domains_ = eval::domains_of(model_.model());
    if (domains_.empty()) {
      throw Error(
          ErrorKind::kUsage, fmt::format("model '{}' does not tell its domain", options.model),
          "name it with --domain; models of nrs learn are compared with the examples they keep");
    }
    if (!options.errors.empty()) errors_ = std::make_unique<AtomicFile>(options.errors);
    // Found out now, not after minutes of work.
    if (options.store) AtomicFile(path_).write("");
  }

  int run() {
    notice_interrupts();
    eval::Certificate certificate;
    certificate.model = model::model_checksum(model_.model());
    certificate.program = "nrs " NRS_VERSION;
    certificate.min_log_prob = rewriter_.threshold().value_or(0);
    certificate.seed = options_.seed;
    const std::optional<data::SeenTexts> trained = eval::trained_leaves(model_.model());
    eval::VerifyRequest request = make_request();
    request.trained = trained ? &*trained : nullptr;
    try {
      for (const Domain* domain : domains_) {
        request.domain = domain;
        count_leaves(*domain);
        certificate.domains.push_back(eval::verify(request));
      }
    } catch (const eval::Interrupted&) {
      status_.clear();
      return without_certificate();
    }
    status_.clear();
    return finish(certificate);
  }

 private:
  eval::VerifyRequest make_request() {
    eval::VerifyRequest request;
    request.rewriter = &rewriter_;
    request.contexts = options_.contexts.value_or(kContexts);
    request.seed = options_.seed;
    request.threads = options_.threads;
    request.progress = [this](const eval::Verification& so_far) { return show_progress(so_far); };
    if (errors_) {
      request.on_failure = [this](const eval::LeafFailure& failure) {
        errors_->write(eval::to_json(failure).dump() + "\n");
      };
    }
    return request;
  }

  // So that the progress line can tell how much is left.
  void count_leaves(const Domain& domain) {
    all_leaves_ = 0;
    domain.for_each_leaf(FormulaSpace::kWhole,
                         [this](std::string_view, std::string_view) { ++all_leaves_; });
    domain.for_each_atom([this](std::string_view) { ++all_leaves_; });
  }

  bool show_progress(const eval::Verification& so_far) {
    if (status_.due()) {
      status_.show(fmt::format("{}: Solver on {} of {} leaves, Selector on {} contexts",
                               so_far.domain->name(), so_far.leaves.leaves + so_far.atoms.leaves,
                               all_leaves_, so_far.selector.contexts));
    }
    return interrupted() == 0;
  }

  int finish(const eval::Certificate& certificate) {
    if (errors_) errors_->commit();
    if (options_.store) eval::store_certificate(path_, eval::to_json(certificate));
    print(options_.json ? eval::to_json(certificate).dump(2) + "\n" : eval::to_text(certificate));
    return certificate.nothing_wrong() ? kDone : kNotNormal;
  }

  const VerifyOptions& options_;
  std::filesystem::path path_;
  const architectures::RunningModel& model_;
  const rewrite::ModularRewriter& rewriter_;
  std::vector<const Domain*> domains_;
  std::unique_ptr<AtomicFile> errors_;
  std::size_t all_leaves_ = 0;  // and atoms, of the domain that is being verified
  StatusLine status_{stderr, errors_are_terminal()};
};

int run_verify(const VerifyOptions& options) {
  const std::filesystem::path path = model_file(options.model);
  // Each leaf comes once, so there is nothing to remember.
  const auto model = architectures::RunningModel::load(path, {.remember = false});
  const bool by_examples = options.domains.empty() && taught::keeps_examples(model.model());
  return by_examples ? verify_by_examples(options, path, model)
                     : Verify(options, path, model).run();
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb = app.add_subcommand(kVerifyVerb.name, kVerifyVerb.purpose);
  verb->add_option("--model", options->model, "name of a model (nrs info lists them), or its file")
      ->required();
  verb->add_option("--domain", options->domains,
                   domain_names() + "; default: those the model was trained on")
      ->allow_extra_args(false);
  verb->add_option("--contexts", options->contexts,
                   "how many leaves the Selector has to find, in generated formulas of each domain "
                   "[1000000]; of a model of nrs learn, how many formulas are spliced from its "
                   "examples [10000]");
  verb->add_option("--seed", options->seed, "the same seed draws the same formulas")
      ->capture_default_str();
  verb->add_flag("--store", options->store, "keep the certificate in the model's file");
  verb->add_flag("--json", options->json, "the certificate as JSON");
  verb->add_option("--errors", options->errors,
                   "file for every leaf that is not right, as JSON lines");
  add_threads_option(*verb, options->threads);
  verb->footer(
      "A model of nrs learn is asked what it was taught, and longer formulas made of it: where a\n"
      "value stands, a leaf with this value is put that was met between the same neighbours.\n"
      "exit status: 0 nothing is wrong (leaves that the Solver is unsure of are counted), 4 else\n"
      "example: nrs verify --model logic");
  verb->callback([options, &action] { action = [options] { return run_verify(*options); }; });
}

}  // namespace nrs::cli

// nrs check: what can be proved of rules.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "architectures/rule_model.h"
#include "base/files.h"
#include "check/check.h"
#include "check/verify.h"
#include "cli/check_examples.h"
#include "cli/given.h"
#include "cli/options.h"
#include "cli/other_verbs.h"
#include "cli/rule_input.h"
#include "nrs/error.h"
#include "term/rule_file.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kInModel = "-";  // --again without a file
constexpr std::size_t kMostCertificate = std::size_t{1} << 28;

struct CheckOptions {
  std::string file;
  std::string certificate;
  std::string again;
  bool json = false;
  bool examples = false;
  std::string kind = "auto";
};

std::string_view word(check::Answer answer) {
  switch (answer) {
    case check::Answer::kYes:
      return "yes";
    case check::Answer::kNo:
      return "no";
    default:
      return "unknown";
  }
}

std::string show_confluence(const check::Checked& checked) {
  const check::Confluence& found = checked.confluence;
  if (found.orthogonal) return "no critical pairs, and no variable twice on a left side";
  if (found.refuted) return "a critical pair has two normal forms";
  if (!found.joined) return "not all critical pairs were joined";
  const std::string pairs = fmt::format("all {} critical pairs join", found.pairs);
  return checked.termination ? pairs : pairs + ", which is enough only if the rules terminate";
}

std::string show(const term::RuleSet& rules, const check::Checked& checked) {
  std::string text = fmt::format("rules        {}\n", rules.rules.size());
  text +=
      fmt::format("terminating  {}: {}\n", word(checked.terminating()),
                  checked.termination ? check::show_orders(*checked.termination)
                                      : "no path order, Knuth-Bendix order or polynomials found");
  text += fmt::format("confluent    {}: {}\n", word(checked.confluent()), show_confluence(checked));
  if (!rules.number_rules.empty()) {
    text += "             of the rules without numbers; " + without_number_rules(rules) + "\n";
  }
  for (const std::string& open : checked.confluence.open) text += "             " + open + "\n";
  text += checked.stuck.empty()
              ? "complete     yes: every constructor term under a symbol with rules is rewritten\n"
              : fmt::format("complete     no: stuck are {}\n", fmt::join(checked.stuck, ", "));
  return text;
}

std::string show_json(const check::Checked& checked, const std::string& certificate) {
  Json object = {{"terminating", word(checked.terminating())},
                 {"orders", checked.termination ? Json(check::show_orders(*checked.termination))
                                                : Json(nullptr)},
                 {"confluent", word(checked.confluent())},
                 {"critical_pairs", checked.confluence.pairs},
                 {"open", checked.confluence.open},
                 {"stuck", checked.stuck},
                 {"certificate", Json::parse(certificate)}};
  return object.dump() + "\n";
}

// The certificate in the model, or in a file.
std::string certificate_given(const CheckOptions& options, const RuleInput& input) {
  if (options.again != kInModel) return read_file(options.again, kMostCertificate);
  if (!input.model) {
    throw Error(ErrorKind::kUsage,
                "--again needs the file of a certificate, unless rules are of a "
                "model that has one");
  }
  return architectures::stored_rule_certificate(*input.model);
}

// A certificate that was found before, checked by code that shares nothing with the search.
int check_again(const CheckOptions& options, const RuleInput& input) {
  const auto wrong = check::refute_certificate(input.rules, certificate_given(options, input));
  const std::string& where = options.again == kInModel ? options.file : options.again;
  if (wrong) throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, *wrong));
  print(options.json ? "{\"holds\":true}\n" : "the certificate holds\n");
  return kDone;
}

int run(const CheckOptions& options) {
  if (options.examples || are_examples(options.file)) {
    return check_examples(options.file, options.kind, options.json);
  }
  RuleInput input = read_rule_input(options.file);
  if (!options.again.empty()) return check_again(options, input);
  term::RuleSet& rules = input.rules;
  const check::Checked checked = check::check_rules(rules);
  const std::string certificate = check::certificate(rules, checked);
  if (const auto wrong = check::refute_certificate(rules, certificate)) {
    throw std::logic_error("the certificate that was found does not hold: " + *wrong);
  }
  if (!options.certificate.empty()) {
    write_file(options.certificate, certificate + "\n");
  }
  if (input.model) {
    architectures::store_rule_certificate(*input.model, certificate);
    model::save_model(as_given(options.file), *input.model);
  }
  print(options.json ? show_json(checked, certificate) : show(rules, checked));
  return checked.convergent() ? kDone : kNotNormal;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = app.add_subcommand(kCheckVerb.name, kCheckVerb.purpose);
  verb->add_option("FILE", options->file,
                   "rule file: .ari, .trs, .rec, or our own text form with another extension; a "
                   "model of learned rules, .nrs; or examples, as for nrs learn")
      ->required();
  verb->add_option("--certificate", options->certificate,
                   "file to write the certificate to, as JSON");
  verb->add_option("--again", options->again,
                   "check a certificate again, by code of its own, instead of a search: that of a "
                   "file, or without one that of the model")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str(kInModel)
      ->excludes("--certificate");
  verb->add_flag("--examples", options->examples, "take the file for examples, whatever it is");
  verb->add_option("--kind", options->kind, "what pairs of formulas in examples are")
      ->check(CLI::IsMember({"auto", "steps", "answers"}))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "everything, as one JSON object");
  verb->footer(
      "Looks for a recursive path order, a Knuth-Bendix order or linear polynomials, computes the "
      "critical\n"
      "pairs, and names constructor terms that no rule rewrites. A model gets the certificate.\n"
      "exit status: 0 terminating and confluent, 3 bad rules or certificate, 4 not proved\n"
      "Of examples it says what they are, what would be held out for testing, and which lines are "
      "suspicious.\n"
      "exit status: 0 nothing is wrong, 3 some line is\n"
      "example: nrs check group.ari --certificate group.json");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace nrs::cli

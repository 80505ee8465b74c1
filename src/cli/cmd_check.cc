// nrs check: what can be proved of rules, and what is in a file of examples.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "architectures/rule_model.h"
#include "base/files.h"
#include "base/lines.h"
#include "base/status_line.h"
#include "check/check.h"
#include "check/verify.h"
#include "cli/lesson.h"
#include "cli/options.h"
#include "cli/rule_input.h"
#include "examples/separators.h"
#include "examples/summary.h"
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
              : fmt::format("complete     no: stuck terms: {}\n", fmt::join(checked.stuck, ", "));
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
                "--again needs the file of a certificate, unless FILE is a model that has one");
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

constexpr std::array<std::string_view, 5> kExamples{".csv", ".json", ".jsonl", ".ndjson", ".tsv"};
constexpr std::array<std::string_view, 5> kNoExamples{".ari", ".nrs", ".rec", ".rules", ".trs"};
constexpr std::size_t kLinesToTry = 200;
constexpr std::size_t kMostGroundRules = 100;
constexpr std::size_t kMostLine = std::size_t{1} << 20;

template <class Words>
bool is_one_of(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// ?x, or a line that only rule files have.
bool speaks_of_rules(std::string_view line) {
  if (line.starts_with("variables ") || line.starts_with("notation ")) return true;
  for (std::size_t i = line.find('?'); i != std::string_view::npos; i = line.find('?', i + 1)) {
    if (i + 1 < line.size() && std::isalnum(static_cast<unsigned char>(line[i + 1])) != 0) {
      return true;
    }
  }
  return false;
}

// Rules have two sides. Anything else is a chain, a table, an object or a formula alone.
bool has_two_sides(std::string_view line) {
  for (const auto family : {examples::Family::kArrows, examples::Family::kEquals}) {
    if (examples::Separators(family).split(line).size() == 2) return true;
  }
  return false;
}

// Rules without variables are few, and none has the left side of another.
bool can_be_rules(const std::vector<std::string>& lines) {
  if (lines.empty() || lines.size() > kMostGroundRules) return false;
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  try {
    const term::RuleSet rules = term::read_rules(text, term::RuleFormat::kText, "");
    std::set<term::Term> lefts;
    for (const term::Rule& rule : rules.rules) lefts.insert(rule.left);
    return lefts.size() == rules.rules.size();
  } catch (const Error&) {
    return false;
  }
}

// By the extension and the first lines: chains, tables, JSON lines. Files of rules, which have
// variables, and models are no examples. A few rules without variables are taken for rules.
bool are_examples(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (path == "-" || is_one_of(kExamples, extension)) return true;
  if (is_one_of(kNoExamples, extension)) return false;
  bool others = false;
  std::vector<std::string> first;
  LineReader lines(path, kMostLine);
  std::string line;
  for (std::size_t i = 0; i < kLinesToTry && lines.next(line); ++i) {
    if (line.empty() || line.starts_with('#')) continue;
    if (speaks_of_rules(line)) return false;
    others = others || !has_two_sides(line);
    first.push_back(line);
  }
  return others || !can_be_rules(first);
}

// Prints what is in the file; the exit code says whether anything is wrong.
int check_examples(const std::filesystem::path& path, const std::string& kind, bool json) {
  StatusLine status(stderr, errors_are_terminal());
  const auto progress = [&](std::string_view doing, std::size_t done) {
    if (status.due()) status.show(fmt::format("{} {}", done, doing));
  };
  const examples::ExampleFile file = examples::read_examples(path, read_options(kind, progress));
  examples::SummaryOptions options;
  options.progress = progress;
  const examples::Summary summary = examples::summarise(file, options);
  status.clear();
  print(json ? examples::to_json(summary) + "\n" : examples::to_text(summary));
  examples::require_teachable(summary);
  return summary.found.wrong() == 0 ? kDone : static_cast<int>(ErrorKind::kInput);
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
  const auto [verb, options] = add_verb<CheckOptions>(app, action, "check", run);
  verb->add_option("FILE", options->file,
                   "rule file: .ari, .trs, .rec, or our own text form with another extension; a "
                   "model of learned rules, .nrs; or examples, as for nrs learn")
      ->required();
  verb->add_option("--certificate", options->certificate, "file for the certificate, as JSON");
  verb->add_option("--again", options->again,
                   "check the certificate in FILE, or else the one in the model, by separate code "
                   "and without a search")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str(kInModel)
      ->excludes("--certificate");
  verb->add_flag("--examples", options->examples,
                 "read the file as examples, whatever it looks like");
  verb->add_option(
          "--kind", options->kind,
          "whether pairs of formulas are steps, or questions with answers; auto detects it")
      ->check(CLI::IsMember({"auto", "steps", "answers"}));
  verb->add_flag("--json", options->json, "everything, as one JSON object");
  verb->footer(
      "For rules, looks for a recursive path order, a Knuth-Bendix order or linear polynomials, "
      "computes\n"
      "the critical pairs, and lists stuck terms. The certificate is stored in FILE if it is a "
      "model.\n"
      "exit status: 0 terminating and confluent, 3 bad rules or certificate, 4 not proved\n"
      "For examples, shows what they are, what would be held out for testing, and which lines are "
      "suspicious.\n"
      "exit status: 0 nothing is wrong, 3 some lines are wrong\n"
      "example: nrs check group.ari --certificate group.json");
}

}  // namespace nrs::cli

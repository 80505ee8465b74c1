// Certificates: shown, as JSON, and in the file of the model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "eval/verify.h"
#include "model/model_file.h"

namespace nrs::eval {
namespace {

using Json = nlohmann::ordered_json;

std::string or_omega(const std::string& value) {
  return value.empty() ? "omega" : value;
}

Json to_json(const std::vector<LeafFailure>& failures) {
  Json list = Json::array();
  for (const LeafFailure& failure : failures) list.push_back(eval::to_json(failure));
  return list;
}

Json counts_of(const SolverCheck& check) {
  return {{"leaves", check.leaves},
          {"right", check.right},
          {"wrong", check.wrong},
          {"unsure", check.unsure}};
}

Json to_json(const SolverCheck& check) {
  Json object = counts_of(check);
  if (!check.first_wrong.empty()) object["first_wrong"] = to_json(check.first_wrong);
  if (!check.first_unsure.empty()) object["first_unsure"] = to_json(check.first_unsure);
  return object;
}

Json to_json(const SelectorCheck& check) {
  Json object = {{"contexts", check.contexts},
                 {"distinct", check.distinct},
                 {"formulas", check.formulas},
                 {"missed", check.missed},
                 {"extra", check.extra}};
  if (check.first_failures.empty()) return object;
  for (const ContextFailure& failure : check.first_failures) {
    object["first_failures"].push_back({{"formula", failure.formula},
                                        {"begin", failure.span.begin},
                                        {"end", failure.span.end},
                                        {"what", failure.missed ? "missed" : "extra"}});
  }
  return object;
}

Json to_json(const RefusalCheck& check) {
  Json object = {
      {"leaves", check.leaves}, {"formulas", check.formulas}, {"answered", check.answered}};
  if (!check.first_answered.empty()) object["first_answered"] = check.first_answered;
  return object;
}

Json to_json(const Verification& verification) {
  Json solver = to_json(verification.leaves);
  if (verification.seen) solver["seen"] = counts_of(*verification.seen);
  if (verification.unseen) solver["unseen"] = counts_of(*verification.unseen);
  return {{"solver", std::move(solver)},
          {"atoms", to_json(verification.atoms)},
          {"selector", to_json(verification.selector)},
          {"without_value", to_json(verification.refusals)}};
}

// "950424 leaves: 950230 right, 3 wrong, 191 unsure"
std::string show(const SolverCheck& check, std::string_view what) {
  if (check.right == check.leaves) return fmt::format("{} {}: all right", check.leaves, what);
  return fmt::format("{} {}: {} right, {} wrong, {} unsure", check.leaves, what, check.right,
                     check.wrong, check.unsure);
}

std::string show(const SelectorCheck& check) {
  const std::string what = fmt::format("{} contexts ({} different) in {} formulas", check.contexts,
                                       check.distinct, check.formulas);
  if (check.missed + check.extra == 0) return what + ": all right";
  return fmt::format("{}: {} leaves missed, {} selected that are not leaves", what, check.missed,
                     check.extra);
}

std::string show(const RefusalCheck& check) {
  return fmt::format(
      "{} leaves without a value, {} formulas with one: {}", check.leaves, check.formulas,
      check.answered == 0 ? "all refused" : fmt::format("{} are answered", check.answered));
}

void show_failures(const std::vector<LeafFailure>& failures, std::string_view what,
                   std::string& text) {
  for (const LeafFailure& failure : failures) {
    text += fmt::format("  {:<8} {} -> {}, is {} (log-probability {:.4g})\n", what,
                        excerpt(failure.leaf, 60), excerpt(or_omega(failure.said)),
                        or_omega(failure.expected), failure.log_prob);
  }
}

// Some characters on either side of the part in question, which is set off by spaces.
std::string show_part(const ContextFailure& failure) {
  constexpr std::size_t kAround = 24;
  const std::string_view text = failure.formula;
  const std::size_t from = failure.span.begin - std::min(kAround, failure.span.begin);
  return fmt::format("{}{} {} {}{}", from > 0 ? "..." : "",
                     text.substr(from, failure.span.begin - from),
                     excerpt(failure.span.of(text), 60), text.substr(failure.span.end, kAround),
                     failure.span.end + kAround < text.size() ? "..." : "");
}

void show(const Verification& verification, std::string& text) {
  const auto line = [&](std::string_view what, const std::string& value) {
    text += fmt::format("{:<10} {}\n", what, value);
  };
  line("domain", std::string(verification.domain->name()));
  line("Solver", show(verification.leaves, "leaves"));
  if (verification.seen) line("", "trained on " + show(*verification.seen, "of them"));
  if (verification.unseen) line("", "never seen " + show(*verification.unseen, "of them"));
  line("", show(verification.atoms, "atoms"));
  if (verification.selector.contexts > 0) line("Selector", show(verification.selector));
  if (verification.refusals.leaves > 0) line("refused", show(verification.refusals));
  show_failures(verification.leaves.first_wrong, "wrong", text);
  show_failures(verification.atoms.first_wrong, "wrong", text);
  show_failures(verification.leaves.first_unsure, "unsure", text);
  show_failures(verification.atoms.first_unsure, "unsure", text);
  for (const ContextFailure& failure : verification.selector.first_failures) {
    text += fmt::format("  {:<8} {}\n", failure.missed ? "missed" : "no leaf", show_part(failure));
  }
  for (const std::string& formula : verification.refusals.first_answered) {
    text += fmt::format("  {:<8} {}\n", "answered", excerpt(formula, 60));
  }
}

}  // namespace

bool Certificate::nothing_wrong() const {
  return std::ranges::all_of(domains, &Verification::nothing_wrong);
}

std::string_view Certificate::verdict() const {
  if (!nothing_wrong()) return "wrong";
  return std::ranges::all_of(domains, &Verification::all_sure) ? "exact" : "sound";
}

Json to_json(const LeafFailure& failure) {
  // No number of JSON is infinite.
  const bool finite = std::isfinite(failure.log_prob);
  return {{"leaf", failure.leaf},
          {"said", or_omega(failure.said)},
          {"expected", or_omega(failure.expected)},
          {"log_prob", finite ? Json(failure.log_prob) : Json(nullptr)},
          {"sure", failure.sure}};
}

Json to_json(const Certificate& certificate) {
  Json object = {{"verdict", certificate.verdict()},
                 {"model", certificate.model},
                 {"program", certificate.program},
                 {"seed", certificate.seed},
                 {"min_log_prob", certificate.min_log_prob}};
  for (const Verification& verification : certificate.domains) {
    object["domains"][std::string(verification.domain->name())] = to_json(verification);
  }
  return object;
}

std::string to_text(const Certificate& certificate) {
  std::string text = fmt::format("{:<10} {}\n", "model", certificate.model);
  for (const Verification& verification : certificate.domains) show(verification, text);
  const std::string_view verdict = certificate.verdict();
  return text + fmt::format("{:<10} {}\n", "verdict",
                            verdict == "exact"   ? "exact: nothing is wrong, nothing unsure"
                            : verdict == "sound" ? "sound: nothing is wrong, something unsure"
                                                 : "wrong: see above");
}

void store_certificate(const std::filesystem::path& path, const Json& certificate) {
  const model::TensorFile file = model::TensorFile::load(path);
  if (model::model_checksum(model::parse_model(file, path.parent_path())) !=
      certificate.at("model").get<std::string>()) {
    throw Error(ErrorKind::kIo, path.string() + ": the file has changed since it was verified");
  }
  model::Metadata metadata = file.metadata();
  metadata["certificate"] = certificate.dump();
  model::save_tensors(path, std::move(metadata), {file.tensors().begin(), file.tensors().end()});
}

}  // namespace nrs::eval

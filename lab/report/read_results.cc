#include "report/read_results.h"

#include <algorithm>

namespace nrs {
namespace {

constexpr std::uint64_t kDeepest = 1 << 24;

Counts read_counts(const Fields& fields) {
  Counts counts{.formulas = fields.count("formulas"),
                .correct = fields.count("correct"),
                .answered = fields.count("answered")};
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
    counts.errors[i] = fields.count(kErrorClasses[i]);
    wrong += counts.errors[i];
  }
  if (counts.answered > counts.formulas) fields.refuse("answered", "is more than \"formulas\"");
  if (counts.correct > counts.answered) fields.refuse("correct", "is more than \"answered\"");
  if (counts.correct + wrong != counts.formulas) {
    fields.refuse("formulas", "is not the sum of \"correct\" and the classes of errors");
  }
  return counts;
}

TrainingPoint read_point(const Fields& fields) {
  TrainingPoint point{.step = fields.number("step")};
  if (fields.has("known")) point.known = fields.share("known");
  if (fields.has("beyond")) point.beyond = fields.share("beyond");
  return point;
}

DomainConfidence read_domain(const std::string& name, const Fields& fields) {
  DomainConfidence domain{.domain = name,
                          .longest_trained = fields.maybe_number("longest_trained")};
  for (const Fields& row : fields.objects("selector")) {
    domain.selector.push_back(
        {row.number("characters"), row.number("formulas"), row.share("confidence")});
  }
  const Fields solver = fields.object("solver");
  domain.leaves = solver.count("leaves");
  domain.unsure = solver.count("unsure");
  domain.least_log_prob = solver.number("least_log_prob");
  domain.solver = solver.counts("counts");
  if (domain.least_log_prob > 0) solver.refuse("least_log_prob", "must not be above 0");
  return domain;
}

// The steps that were applied, within the formula and one behind the other: they are drawn so.
std::vector<TraceStep> read_steps(const Fields& round, const std::string& formula) {
  std::vector<TraceStep> steps;
  for (const Fields& row : round.objects("steps")) {
    if (!row.flag("applied")) continue;
    const std::size_t begin = row.count("begin"), end = row.count("end");
    const std::size_t before = steps.empty() ? 0 : steps.back().end;
    if (begin < before || begin >= end || end > formula.size()) {
      row.refuse("begin", "the leaf is not a part of the formula behind the one before");
    }
    steps.push_back({begin, end, row.text("value")});
  }
  return steps;
}

}  // namespace

Source read_source(const Fields& fields, const std::string& file) {
  if (!fields.has("command")) {
    fields.refuse("command", "is missing",
                  "an older nrs made this file: make it again with nrs reproduce");
  }
  Source source{.file = file,
                .command = fields.text("command"),
                .program = fields.text("program"),
                .machine = fields.text_or("machine", ""),
                .model = fields.text_or("model", ""),
                .checksum = fields.text_or("model_checksum", ""),
                .engine = fields.text_or("engine", ""),
                .seed = fields.maybe_count("seed"),
                .parameters = fields.maybe_count("parameters")};
  if (fields.has("recipe")) {
    const Fields recipe = fields.object("recipe");
    source.recipe = recipe.text("name");
    source.protocol = recipe.text("protocol");
    source.domains = recipe.texts("domains");
    source.recipe_seed = recipe.count("seed");
    // A number of a trained model can be made again only if one knows which model it was.
    if (source.checksum.empty()) fields.refuse("model_checksum", "is missing");
    if (source.model.empty()) source.model = source.recipe;
  }
  return source;
}

Evaluation read_evaluation(const Fields& fields, const std::string& file) {
  Evaluation evaluation{.source = read_source(fields, file),
                        .seconds = fields.number("seconds"),
                        .threads = static_cast<int>(std::min<std::uint64_t>(
                            fields.maybe_count("threads").value_or(1), 1 << 20))};
  if (fields.has("interrupted") && fields.flag("interrupted")) {
    fields.refuse("interrupted", "this evaluation did not come to its end: delete it and go on");
  }
  for (const Fields& row : fields.objects("levels")) {
    const std::uint64_t nesting = row.count("nesting");
    if (nesting > kDeepest) row.refuse("nesting", "is too large");
    evaluation.levels.push_back(
        {row.text_or("domain", ""), static_cast<int>(nesting), read_counts(row)});
  }
  return evaluation;
}

ConfidenceStudy read_confidence(const Fields& fields, const std::string& file) {
  ConfidenceStudy study{.source = read_source(fields, file),
                        .threshold = fields.number("threshold")};
  for (const auto& [name, member] : fields.members("domains")) {
    study.domains.push_back(read_domain(name, member));
  }
  return study;
}

TrainingRun read_training(const Fields& fields, const std::string& file) {
  TrainingRun run{.source = read_source(fields, file)};
  for (const Fields& row : fields.objects("modules")) {
    TrainedModule module{row.text("module"), row.count("steps"), row.count("batch"), {}};
    for (const Fields& point : row.objects("points")) module.points.push_back(read_point(point));
    if (module.points.empty()) row.refuse("points", "there are none");
    run.modules.push_back(std::move(module));
  }
  return run;
}

Ablation read_ablation(const Fields& fields, const std::string& file) {
  Ablation ablation{.source = read_source(fields, file),
                    .title = fields.text("title"),
                    .domain = fields.text("domain"),
                    .measure = fields.text("measure"),
                    .note = fields.text_or("note", "")};
  for (const Fields& row : fields.objects("variants")) {
    AblationVariant variant{row.text("name"), {}};
    for (const Fields& run : row.objects("runs")) {
      AblationRun& to = variant.runs.emplace_back(AblationRun{run.count("seed"), {}});
      for (const Fields& point : run.objects("points")) {
        to.points.emplace_back(point.number("step"), point.share("value"));
      }
      if (to.points.empty()) run.refuse("points", "there are none");
    }
    if (variant.runs.empty()) row.refuse("runs", "there are none");
    ablation.variants.push_back(std::move(variant));
  }
  if (ablation.variants.empty()) fields.refuse("variants", "there are none");
  return ablation;
}

std::vector<Dataset> read_datasets(const Fields& fields, const std::string& file) {
  std::vector<Dataset> all;
  const Source source = read_source(fields, file);
  for (const auto& [name, member] : fields.object("stats").members("domains")) {
    Dataset dataset{.source = source, .domain = name, .splits = {}};
    for (const char* part : {"selector", "solver", "whole"}) {
      for (const auto& [split, size] : member.members(part)) {
        dataset.splits.push_back({part, split, size.count("distinct")});
      }
    }
    all.push_back(std::move(dataset));
  }
  return all;
}

Trace read_trace(const Fields& fields, const std::string& file) {
  const Fields derivation = fields.object("derivation");
  Trace trace{.source = read_source(fields, file),
              .domain = derivation.text_or("domain", ""),
              .rounds = {}};
  for (const Fields& row : derivation.objects("trace")) {
    const std::string formula = row.text("formula");
    trace.rounds.push_back({formula, read_steps(row, formula)});
  }
  if (trace.rounds.empty()) derivation.refuse("trace", "there are no rounds");
  return trace;
}

ModelInfo read_model_info(const Fields& fields, const std::string& file) {
  ModelInfo info;
  info.source = {.file = file,
                 .command = "nrs info --json " + fields.text("name"),
                 .program = fields.text("program"),
                 .model = fields.text("name"),
                 .checksum = fields.text("checksum"),
                 .recipe = fields.text("name"),
                 .protocol = fields.text("protocol"),
                 .domains = fields.texts("domains"),
                 .recipe_seed = fields.count("seed")};
  const auto size = [&](const char* module) -> std::optional<std::uint64_t> {
    if (!fields.has(module)) return std::nullopt;
    return fields.object(module).count("parameters");
  };
  info.selector_parameters = size("selector");
  info.solver_parameters = size("solver");
  info.router_parameters = size("router");
  if (fields.has("certificate")) info.verdict = fields.object("certificate").text_or("verdict", "");
  return info;
}

}  // namespace nrs

// Costs, data, models, worked derivations; and what all parts are made with.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/charts.h"
#include "report/parts.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::json;

std::string show_seconds(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} m {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} m", whole / 3600, whole / 60 % 60);
}

// One system in one domain, or in all: published or measured.
struct Cost {
  std::string system{};
  std::string label{};
  std::string source{};
  std::optional<std::uint64_t> parameters{};
  std::optional<double> seconds{};
  std::uint64_t formulas = 0;
  std::uint64_t threads = 0;
  bool estimated = false;
  bool published = false;
};

// The time of a run that has formulas of one domain only counts for that domain, else for "multi".
std::string timed_domain(const Json& levels) {
  std::string domain;
  for (const Json& level : levels) {
    const std::string one = maybe<std::string>(level, "domain").value_or("");
    if (!domain.empty() && one != domain) return "multi";
    domain = one;
  }
  return domain;
}

Cost cost_of(const ResultFile& timing) {
  const Source& source = timing.source;
  Cost cost{.system = system_of(source),
            .label = fmt::format("{}: `{}`", label_of(source), name_of(source)),
            .source = source.machine,
            .parameters = source.parameters,
            .seconds = timing.data.at("seconds"),
            .threads = maybe<std::uint64_t>(timing.data, "threads").value_or(1)};
  for (const Json& level : timing.data.at("levels")) cost.formulas += counts_of(level).formulas;
  return cost;
}

std::vector<Cost> costs_in(const Results& results, const std::string& domain) {
  std::vector<Cost> costs;
  for (const ResultFile& timing : results.of("timing")) {
    if (timed_domain(timing.data.at("levels")) == domain) costs.push_back(cost_of(timing));
  }
  std::ranges::stable_sort(costs, {}, [](const Cost& cost) {
    return std::pair(colour_of(cost.system), cost.label.find(',') != std::string::npos);
  });
  for (const Json& row : results.published.at("cost")) {
    if (row.at("domain") != domain) continue;
    costs.push_back({.system = row.at("system"),
                     .label = row.at("system").get<std::string>() + ", published",
                     .source = row.at("source"),
                     .parameters = maybe<std::uint64_t>(row, "parameters"),
                     .seconds = maybe<double>(row, "seconds"),
                     .estimated = row.at("estimated"),
                     .published = true});
  }
  return costs;
}

void cost_table(PagePart& part) {
  Table table = part.table();
  for (const PublishedDomain& domain : domains_and_all(part.results)) {
    for (const Cost& cost : costs_in(part.results, domain.name)) {
      const Tone tone = cost.published ? Tone::kPublished : Tone::kPlain;
      const std::string count = cost.parameters ? number_cell(*cost.parameters).text : "not known";
      table.rows.push_back(
          {{domain.title},
           {cost.label, tone},
           {(cost.estimated ? "about " : "") + count, tone, cost.source},
           {cost.seconds ? show_seconds(*cost.seconds) : "not published", tone, cost.source},
           cost.published ? Cell{} : number_cell(cost.formulas),
           {cost.published ? "" : std::to_string(cost.threads)}});
    }
  }
  part.add(std::move(table));
}

void cost_figure(PagePart& part) {
  Figure figure = part.figure();
  for (const PublishedDomain& domain : domains_and_all(part.results)) {
    BarChart chart{.id = "time-" + domain.name,
                   .title = domain.title,
                   .description = "Time for a test set in seconds, by system.",
                   .x_label = "seconds",
                   .to = 1e6,
                   .log_from = 0.01};
    for (const Cost& cost : costs_in(part.results, domain.name)) {
      if (cost.seconds.value_or(0) <= 0) continue;
      std::string label = cost.label;
      std::erase(label, '`');
      const std::string time = show_seconds(*cost.seconds);
      chart.bars.push_back({.label = label,
                            .parts = {{*cost.seconds, colour_of(cost.system), time}},
                            .note = time,
                            .published = cost.published});
    }
    if (!chart.bars.empty()) figure.charts.push_back(draw(chart));
  }
  part.add(std::move(figure));
}

// On which machines time was measured.
void setting(PagePart& part) {
  std::string machines;
  for (const ResultFile& timing : part.results.of("timing")) {
    part.section.add_sources({timing.source});
    const std::string& machine = timing.source.machine;
    if (!machine.empty() && machines.find(machine) == std::string::npos) {
      machines += (machines.empty() ? "" : "; ") + machine;
    }
  }
  part.add(Paragraph{part.text(
      "text", {{"machines", machines.empty() ? "nothing has been measured yet" : machines},
               {"hardware", part.results.published.at("hardware")}})});
}

void splits(PagePart& part) {
  Table table = part.table();
  for (const PublishedDomain& domain : part.results.domains) {
    for (const Json& row : part.results.published.at("splits")) {
      if (row.at("domain") != domain.name) continue;
      const std::string kind = row.at("part"), split = row.at("split");
      Cell here = not_measured();
      for (const ResultFile& dataset : part.results.of("datasets")) {
        const Json& domains = dataset.data.at("stats").at("domains");
        if (!domains.contains(domain.name) || !domains.at(domain.name).at(kind).contains(split)) {
          continue;
        }
        here = number_cell(domains.at(domain.name).at(kind).at(split).at("distinct"));
        part.section.add_sources({dataset.source});
      }
      table.rows.push_back({{domain.title},
                            {fmt::format("{} {}", kind == "whole" ? "formulas" : kind, split)},
                            here,
                            published_count(maybe<std::uint64_t>(row, "rows"), row.at("source"))});
    }
  }
  part.add(std::move(table));
}

void derivations(PagePart& part) {
  for (const ResultFile& trace : part.results.of("traces")) {
    const Json& derivation = trace.data.at("derivation");
    const std::string domain = maybe<std::string>(derivation, "domain").value_or("");
    WorkedDerivation worked{
        .id = fmt::format("derivation-{}", part.section.blocks.size() + 1),
        .caption = part.text("caption", {{"domain", title_of(part.results, domain)},
                                         {"model", trace.source.recipe}})};
    for (const Json& round : derivation.at("trace")) {
      TraceRound& to = worked.rounds.emplace_back(TraceRound{round.at("formula"), {}});
      for (const Json& step : round.at("steps")) {
        if (!step.at("applied").get<bool>()) continue;
        to.steps.push_back({step.at("begin"), step.at("end"), step.at("value")});
      }
    }
    part.add(std::move(worked));
    part.section.add_sources({trace.source});
  }
}

void models(PagePart& part) {
  if (part.results.of("models").empty()) return;
  Table table = part.table();
  for (const ResultFile& model : part.results.of("models")) {
    const auto size = [&](const char* module) {
      const auto found = maybe<Json>(model.data, module);
      return found ? number_cell(found->at("parameters")) : Cell{"none", Tone::kMissing};
    };
    const Json certificate = maybe<Json>(model.data, "certificate").value_or(Json::object());
    const std::string verdict = maybe<std::string>(certificate, "verdict").value_or("");
    const Source& source = model.source;
    table.rows.push_back({{"`" + source.recipe + "`"},
                          {fmt::format("{}", fmt::join(source.domains, ", "))},
                          {source.protocol == "paper" ? "the paper's share" : "all"},
                          {std::to_string(source.recipe_seed.value_or(0))},
                          size("selector"),
                          size("solver"),
                          size("router"),
                          verdict.empty() ? Cell{"none", Tone::kMissing} : Cell{verdict},
                          {"`" + source.checksum + "`"}});
    part.section.add_sources({source});
  }
  part.add(std::move(table));
}

void certificates(PagePart& part) {
  Table table = part.table();
  for (const ResultFile& model : part.results.of("models")) {
    const auto certificate = maybe<Json>(model.data, "certificate");
    if (!certificate || !certificate->contains("domains")) continue;
    for (const auto& [name, found] : certificate->at("domains").items()) {
      const auto count = [&, &counts = found](const char* module, const char* field) {
        return number_cell(counts.at(module).at(field));
      };
      table.rows.push_back({{"`" + model.source.recipe + "`"},
                            {title_of(part.results, name)},
                            count("solver", "leaves"),
                            count("solver", "right"),
                            count("atoms", "right"),
                            count("selector", "contexts"),
                            count("selector", "distinct"),
                            count("selector", "missed"),
                            count("selector", "extra"),
                            {certificate->value("verdict", "")}});
    }
    part.section.add_sources({model.source});
  }
  if (!table.rows.empty()) part.add(std::move(table));
}

void text(PagePart& part) {
  part.add(Paragraph{part.text("text", {{"provenance", part.results.published.at("provenance")}})});
}

constexpr PartBuilder kOtherParts[] = {
    {"text", text},     {"setting", setting},          {"cost-figure", cost_figure},
    {"splits", splits}, {"derivations", derivations},  {"cost-table", cost_table},
    {"models", models}, {"certificates", certificates}};

}  // namespace

std::span<const PartBuilder> other_parts() {
  return kOtherParts;
}

std::string PagePart::text(const char* field, const Names& names) const {
  std::string text = fmt::format("{}", fmt::join(list(field), " "));
  for (const auto& [name, value] : names) {
    const std::string mark = "{" + name + "}";
    const std::size_t at = text.find(mark);
    if (at != std::string::npos) text.replace(at, mark.size(), value);
  }
  return text;
}

std::vector<std::string> PagePart::list(const char* field) const {
  return words.value(field, std::vector<std::string>{});
}

Table PagePart::table(const Names& names, const std::string& suffix) const {
  return {.id = words.at("id").get<std::string>() + suffix,
          .caption = text("caption", names),
          .header = list("header")};
}

void Section::add_sources(const std::vector<Source>& more) {
  for (const Source& source : more) {
    if (std::ranges::find(sources, source.file, &Source::file) == sources.end()) {
      sources.push_back(source);
    }
  }
}

Cell number_cell(std::uint64_t count) {
  return {show_number(static_cast<double>(count))};
}

Cell accuracy_cell(const Counts& counts) {
  return {show_share(counts.accuracy()),
          counts.correct == counts.formulas ? Tone::kBest : Tone::kPlain,
          fmt::format("{} of {} right, {} without an answer", counts.correct, counts.formulas,
                      counts.formulas - counts.answered)};
}

Cell not_measured() {
  return {"not measured", Tone::kMissing};
}

Cell published_share(std::optional<double> share, const std::string& source) {
  return share ? Cell{show_share(*share), Tone::kPublished, source}
               : Cell{"not published", Tone::kMissing, source};
}

Cell published_count(std::optional<std::uint64_t> count, const std::string& source) {
  return count ? Cell{number_cell(*count).text, Tone::kPublished, source}
               : Cell{"not published", Tone::kMissing, source};
}

}  // namespace nrs::lab

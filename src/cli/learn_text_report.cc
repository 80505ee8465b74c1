// What nrs learn says of text that is not terms.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/learn_text.h"
#include "model/networks.h"
#include "taught/kept_examples.h"
#include "text/json.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string show(const text::Computation& law) {
  std::string text =
      fmt::format("   -> token {} {} token {}", law.left + 1, law.operation, law.right + 1);
  if (law.modulus > 0) {
    text += fmt::format(", remainder by {}{}", law.modulus, law.floored ? "" : " with its sign");
  }
  return text;
}

std::string show_patterns(const teach::TextSystem& system) {
  std::vector<std::string> bodies;
  std::size_t widest = 0;
  for (const text::Pattern& pattern : system.patterns.patterns) {
    bodies.push_back(fmt::format("{}", fmt::join(pattern.body, " ")));
    widest = std::max(widest, bodies.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const text::Pattern& pattern = system.patterns.patterns[i];
    text += fmt::format("  {:<{}}   after {}   before {}", bodies[i], widest,
                        fmt::join(pattern.left, " "), fmt::join(pattern.right, " "));
    if (!pattern.any_order.empty()) text += "   in any order";
    if (pattern.folds) text += ", two at a time";
    for (const auto& [place, other] : pattern.no_matter) {
      text += fmt::format("   whatever its token {}", place + 1);
    }
    if (pattern.computes) text += show(*pattern.computes);
    if (pattern.copies) text += fmt::format("   -> its token {}", *pattern.copies + 1);
    text += '\n';
  }
  return text;
}

// Leaves that have another value if they are the whole formula.
std::string show_alone(const std::map<std::string, std::string>& alone) {
  constexpr std::size_t kShown = 5;
  if (alone.empty()) return {};
  std::vector<std::string> some;
  for (const auto& [leaf, value] : alone) {
    if (some.size() < kShown) some.push_back(fmt::format("'{}' -> '{}'", leaf, value));
  }
  const std::size_t more = alone.size() - some.size();
  return fmt::format("as the whole formula: {}{}\n", fmt::join(some, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string show_suspicious(const std::vector<examples::BadLine>& lines) {
  constexpr std::size_t kShown = 10;
  if (lines.empty()) return {};
  std::string text = fmt::format("lines that do not fit: {}\n", lines.size());
  for (std::size_t i = 0; i < std::min(kShown, lines.size()); ++i) {
    text += fmt::format("  line {}: {}\n", lines[i].line, lines[i].reason);
  }
  return text;
}

}  // namespace

void write_card(const examples::ExampleFile& file, TaughtText& taught) {
  Json results = Json::parse(taught.model.results);
  results["taught"] = {{"examples", file.examples.size()},
                       {"from", taught.from_answers ? "answers" : "steps"},
                       {taught.from_answers ? "questions" : "steps", taught.system.steps},
                       {"explained", taught.system.explained},
                       {"do_not_fit", taught.system.suspicious.size()}};
  const taught::LengthScore total = taught::total_of(taught.held_out);
  if (total.asked > 0) {
    results["held_out"] = {{"questions", total.asked},
                           {"right", total.right},
                           {"wrong", total.wrong},
                           {"refused", total.refused()},
                           {"characters", fmt::format("{}-{}", total.shortest, total.longest)}};
  }
  taught.model.results = results.dump();
  taught.model.data_hash = taught::hash_of(file.examples);
}

std::string to_text(const TaughtText& taught) {
  const teach::TextSystem& system = taught.system;
  std::string text =
      fmt::format("leaves, found in {} of {} {}:\n{}", system.explained, system.steps,
                  taught.from_answers ? "questions" : "steps", show_patterns(system));
  text += fmt::format("values: {} in a table{}\n", system.table.size(),
                      taught.model.has(model::kSolverModule) ? ", a Solver for others" : "");
  text += show_alone(system.patterns.alone);
  text += show_suspicious(system.suspicious);
  if (!taught.held_out.empty()) {
    text += "on held-out examples:\n" + taught::to_text(taught.held_out);
  }
  if (taught.rest.asked > 0) {
    text += "on the examples that were left out:\n" + taught::to_text({&taught.rest, 1});
    if (taught.learned_since > 0) {
      text += fmt::format("of those that it refused, {} {} also learned from\n",
                          taught.learned_since, taught.learned_since == 1 ? "was" : "were");
    }
  }
  return text + taught::to_text(taught.questions);
}

std::string to_json(const TaughtText& taught) {
  Json suspicious = Json::array(), questions = Json::array();
  for (const examples::BadLine& line : taught.system.suspicious) {
    suspicious.push_back({{"line", line.line}, {"reason", line.reason}});
  }
  for (const taught::OpenQuestion& question : taught.questions.ask) {
    questions.push_back({{"formula", question.formula}, {"never_seen", question.why}});
  }
  return Json{{"patterns", text::to_json(taught.system.patterns)["patterns"]},
              {"values", taught.system.table.size()},
              {"solver", taught.model.has(model::kSolverModule)},
              {"explained", taught.system.explained},
              {taught.from_answers ? "questions" : "steps", taught.system.steps},
              {"suspicious", suspicious},
              {"held_out", taught.held_out},
              {"left_out", taught.rest.asked > 0 ? Json::array({taught.rest}) : Json::array()},
              {"never_seen",
               {{"leaves", taught.questions.leaves},
                {"neighbours", taught.questions.neighbours},
                {"finals", taught.questions.finals}}},
              {"ask", questions}}
      .dump();
}

}  // namespace nrs::cli

#include "cli/learn_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "architectures/pattern_model.h"
#include "architectures/running_model.h"
#include "base/text.h"
#include "cli/train_solver.h"
#include "data/pair_file.h"
#include "examples/held_out.h"
#include "model/networks.h"
#include "nrs/error.h"
#include "runtime/solver.h"
#include "text/json.h"

namespace nrs::cli {
namespace {

std::vector<data::TaughtPair> pairs_of(const teach::TextSystem& system) {
  std::vector<data::TaughtPair> pairs;
  for (const auto& [leaf, known] : system.table) {
    pairs.push_back({leaf, known.value, static_cast<std::uint32_t>(known.times)});
  }
  return pairs;
}

// A trained Solver that says nothing unless it is sure.
class SureSolver {
 public:
  explicit SureSolver(const model::Model& model)
      : model_(model::solver_of(model)), solver_(model_) {}

  std::optional<std::string> operator()(std::string_view leaf) const {
    Solution solution = solver_.solve({&leaf, 1}).front();
    const bool sure = solution.known && !solution.omega && solution.log_prob >= model_.min_log_prob;
    return sure ? std::optional(std::move(solution.value)) : std::nullopt;
  }

 private:
  model::SolverModel model_;
  runtime::ModelSolver solver_;
};

class Teacher {
 public:
  Teacher(std::span<const examples::Example> examples, const TextTeaching& teaching)
      : examples_(examples), teaching_(teaching), options_{.progress = teaching.progress} {}

  // Steps, or answers; where pairs could be either, what explains more of them.
  TaughtText learn(const examples::ExampleFile& file) {
    const bool pairs = std::ranges::all_of(examples_, [](const examples::Example& example) {
      return example.formulas.size() <= 2 && example.places.empty();
    });
    if (teaching_.kind_given || !pairs) {
      return file.kind == examples::Kind::kAnswer ? from_answers() : from_steps();
    }
    std::optional<Error> why_not;
    std::optional<teach::TextSystem> steps = attempt(teach::learn_from_steps, why_not);
    std::optional<teach::TextSystem> answers = attempt(teach::learn_from_answers, why_not);
    if (!steps && !answers) throw *why_not;
    if (!steps || (answers && share(*answers) > share(*steps))) {
      return from_answers(std::move(*answers));
    }
    return finish(std::move(*steps), teaching_.minutes);
  }

  // Reads patterns and table off these examples, for a model that has its Solver.
  void learn_again(TaughtText& taught) {
    std::optional<SureSolver> solver;
    teach::TextOptions options = options_;
    if (taught.model.has(model::kSolverModule)) {
      solver.emplace(taught.model);
      options.solve = [&](std::string_view leaf) { return (*solver)(leaf); };
    }
    taught.system = taught.from_answers ? teach::learn_from_answers(examples_, options)
                                        : teach::learn_from_steps(examples_, options);
    store_patterns(taught);
  }

 private:
  template <class Learn>
  std::optional<teach::TextSystem> attempt(Learn from, std::optional<Error>& why_not) const {
    try {
      return from(examples_, options_);
    } catch (const Error& error) {
      why_not = error;
      return std::nullopt;
    }
  }

  // What a system explains. Leaves that are always whole texts are a list of the examples.
  static double share(const teach::TextSystem& system) {
    const auto whole = [](const text::Pattern& pattern) {
      return pattern.left == std::vector<std::string>{std::string(text::kStart)} &&
             pattern.right == std::vector<std::string>{std::string(text::kEnd)};
    };
    if (system.steps == 0 || std::ranges::all_of(system.patterns.patterns, whole)) return 0;
    return static_cast<double>(system.explained) / static_cast<double>(system.steps);
  }

  TaughtText from_steps() {
    return finish(teach::learn_from_steps(examples_, options_), teaching_.minutes);
  }
  TaughtText from_answers() { return from_answers(teach::learn_from_answers(examples_, options_)); }

  // Where leaves are a sample, a Solver learns from short questions, says what becomes of longer
  // ones when a leaf in them is replaced, and learns again from all leaves that this shows.
  TaughtText from_answers(teach::TextSystem first) {
    if (first.closed() || first.explained * 20 >= first.steps * 19) {
      TaughtText taught = finish(std::move(first), teaching_.minutes);
      taught.from_answers = true;
      return taught;
    }
    TaughtText early = finish(std::move(first), 0.4 * teaching_.minutes);
    const SureSolver solver(early.model);
    teach::TextOptions options = options_;
    options.solve = [&](std::string_view leaf) { return solver(leaf); };
    TaughtText taught =
        finish(teach::learn_from_answers(examples_, options), 0.6 * teaching_.minutes);
    taught.from_answers = true;
    return taught;
  }

  TaughtText finish(teach::TextSystem system, double minutes) {
    TaughtText taught{.system = std::move(system), .model = {}, .held_out = {}};
    model::Model& model = taught.model;
    if (!taught.system.closed() && minutes > 0) {
      model = train_solver(pairs_of(taught.system), {.minutes = minutes,
                                                     .seed = teaching_.seed,
                                                     .threads = teaching_.threads,
                                                     .quiet = teaching_.quiet});
    }
    store_patterns(taught);
    return taught;
  }

  static void store_patterns(TaughtText& taught) {
    architectures::PatternModel patterns{
        .set = taught.system.patterns, .table = {}, .erases = taught.system.erases};
    for (const auto& [leaf, known] : taught.system.table) patterns.table[leaf] = known.value;
    for (const auto& support : taught.system.support) {
      patterns.support.push_back({support.rewrites, support.leaves});
    }
    taught.model.architecture = architectures::kPatternsArchitecture;
    taught.model.modules.insert_or_assign(std::string(architectures::kPatternsModule),
                                          to_module(patterns));
  }

  std::span<const examples::Example> examples_;
  const TextTeaching& teaching_;
  teach::TextOptions options_;
};

// In five groups of growing length, as equal as can be.
std::vector<LengthScore> measure(const model::Model& model,
                                 std::span<const examples::Example> examples) {
  constexpr std::size_t kGroups = 5;
  std::vector<const examples::Example*> asked;
  for (const examples::Example& example : examples) {
    if (example.complete && example.formulas.size() > 1) asked.push_back(&example);
  }
  std::ranges::stable_sort(asked, {}, [](const auto* e) { return e->formulas.front().size(); });
  const architectures::RunningModel running(model);
  std::vector<LengthScore> scores;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const std::size_t begin = group * asked.size() / kGroups;
    const std::size_t end = (group + 1) * asked.size() / kGroups;
    if (begin == end) continue;
    std::vector<std::string_view> formulas;
    for (std::size_t i = begin; i < end; ++i) formulas.push_back(asked[i]->formulas.front());
    const std::vector<Result> results = running.rewriter().run(formulas, {});
    LengthScore& score = scores.emplace_back();
    score = {formulas.front().size(), formulas.back().size(), formulas.size()};
    for (std::size_t i = begin; i < end; ++i) {
      const Result& result = results[i - begin];
      if (result.ok()) ++(result.formula == asked[i]->formulas.back() ? score.right : score.wrong);
    }
  }
  return scores;
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
    if (pattern.copies) text += fmt::format("   -> its token {}", *pattern.copies + 1);
    text += '\n';
  }
  return text;
}

std::string show_scores(const std::vector<LengthScore>& scores) {
  std::vector<std::vector<std::string>> rows{
      {"characters", "questions", "right", "wrong", "refused"}};
  for (const LengthScore& score : scores) {
    rows.push_back({fmt::format("{}-{}", score.shortest, score.longest),
                    fmt::to_string(score.asked), fmt::to_string(score.right),
                    fmt::to_string(score.wrong), fmt::to_string(score.refused())});
  }
  return align(rows);
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

TaughtText learn_text(const examples::ExampleFile& file, const TextTeaching& teaching) {
  const examples::Split split =
      examples::split_held_out(file.examples, static_cast<std::uint64_t>(teaching.seed));
  const auto pick = [&](const std::vector<std::uint32_t>& numbers) {
    std::vector<examples::Example> some;
    for (const std::uint32_t number : numbers) some.push_back(file.examples[number]);
    return some;
  };
  const std::vector<examples::Example> train = pick(split.train);
  TaughtText taught = Teacher(train, teaching).learn(file);
  taught.held_out = measure(taught.model, pick(split.held_out));
  if (split.held_out.empty()) return taught;
  Teacher(file.examples, teaching).learn_again(taught);
  return taught;
}

std::string to_text(const TaughtText& taught) {
  const teach::TextSystem& system = taught.system;
  std::string text = fmt::format("leaves, found in {} of {} lines:\n{}", system.explained,
                                 system.steps, show_patterns(system));
  text += fmt::format("values: {} in a table{}\n", system.table.size(),
                      taught.model.has(model::kSolverModule) ? ", a Solver for others" : "");
  text += show_suspicious(system.suspicious);
  if (!taught.held_out.empty()) text += "on held-out examples:\n" + show_scores(taught.held_out);
  return text;
}

std::string to_json(const TaughtText& taught) {
  using Json = nlohmann::ordered_json;
  Json scores = Json::array(), suspicious = Json::array();
  for (const LengthScore& score : taught.held_out) {
    scores.push_back({{"shortest", score.shortest},
                      {"longest", score.longest},
                      {"questions", score.asked},
                      {"right", score.right},
                      {"wrong", score.wrong},
                      {"refused", score.refused()}});
  }
  for (const examples::BadLine& line : taught.system.suspicious) {
    suspicious.push_back({{"line", line.line}, {"reason", line.reason}});
  }
  return Json{{"patterns", text::to_json(taught.system.patterns)["patterns"]},
              {"values", taught.system.table.size()},
              {"solver", taught.model.has(model::kSolverModule)},
              {"explained", taught.system.explained},
              {"lines", taught.system.steps},
              {"suspicious", suspicious},
              {"held_out", scores}}
      .dump();
}

}  // namespace nrs::cli

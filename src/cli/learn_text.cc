#include "cli/learn_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "architectures/architecture.h"
#include "architectures/pattern_model.h"
#include "data/pair_file.h"
#include "examples/held_out.h"
#include "model/networks.h"
#include "nrs/error.h"
#include "runtime/solver.h"
#include "taught/rest.h"

namespace nrs::cli {
namespace {

std::vector<data::TaughtPair> pairs_of(const teach::TextSystem& system) {
  std::vector<data::TaughtPair> pairs;
  for (const auto& [leaf, known] : system.table) {
    if (known.value.empty()) continue;  // no Solver says nothing
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
    return finish(std::move(*steps), 1);
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

  TaughtText from_steps() { return finish(teach::learn_from_steps(examples_, options_), 1); }
  TaughtText from_answers() { return from_answers(teach::learn_from_answers(examples_, options_)); }

  // Where leaves are a sample, a Solver learns from short questions, says what becomes of longer
  // ones when a leaf in them is replaced, and learns again from all leaves that this shows.
  // One that goes on from another model has that model's Solver to begin with.
  TaughtText from_answers(teach::TextSystem first) {
    const bool nearly_all = first.explained * 20 >= first.steps * 19;
    if (first.closed() || nearly_all) {
      return finish(std::move(first), 1, /*from_answers=*/true);
    }
    const std::filesystem::path& before = teaching_.solver.goes_on;
    model::Model early;
    if (!before.empty()) early = model::load_model(before);
    const bool has_solver = early.has(model::kSolverModule);
    TaughtText taught = finish(std::move(first), has_solver ? 0 : 0.4, /*from_answers=*/true);
    if (!has_solver) early = taught.model;
    if (taught.interrupted || !early.has(model::kSolverModule)) return taught;
    const SureSolver solver(early);
    teach::TextOptions options = options_;
    options.solve = [&](std::string_view leaf) { return solver(leaf); };
    return finish(teach::learn_from_answers(examples_, options), has_solver ? 1 : 0.6,
                  /*from_answers=*/true);
  }

  // `share` of the time goes to a Solver, if one is needed.
  TaughtText finish(teach::TextSystem system, double share, bool from_answers = false) {
    TaughtText taught;
    taught.system = std::move(system);
    taught.from_answers = from_answers;
    const bool needed = !taught.system.closed() && taught.system.table.size() >= kFewestPairs;
    if (needed && share * teaching_.solver.minutes > 0) {
      SolverTraining training = teaching_.solver;
      training.minutes *= share;
      TrainedSolver trained = train_solver(pairs_of(taught.system), training);
      taught.interrupted = trained.interrupted;
      if (trained.model) taught.model = std::move(*trained.model);
    }
    store_patterns(taught);
    return taught;
  }

  static void store_patterns(TaughtText& taught) {
    architectures::PatternModel patterns{
        .set = taught.system.patterns, .table = {}, .erases = taught.system.erases};
    for (const auto& [leaf, known] : taught.system.table) {
      if (known.sure) patterns.table[leaf] = known.value;
    }
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

// Some examples of a file taken out of it for a while, because there may be many of them.
class Taken {
 public:
  Taken(examples::ExampleFile& file, const std::vector<std::uint32_t>& numbers)
      : file_(file), numbers_(numbers) {
    for (const std::uint32_t number : numbers) {
      examples_.push_back(std::move(file.examples[number]));
    }
  }
  ~Taken() {
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      file_.examples[numbers_[i]] = std::move(examples_[i]);
    }
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  const std::vector<examples::Example>& examples() const { return examples_; }

 private:
  examples::ExampleFile& file_;
  const std::vector<std::uint32_t>& numbers_;
  std::vector<examples::Example> examples_;
};

// Without the deepest and longest examples, which are asked then.
TaughtText learn_and_ask(examples::ExampleFile& file, const TextTeaching& teaching) {
  const examples::Split split =
      examples::split_held_out(file.examples, static_cast<std::uint64_t>(teaching.solver.seed));
  const Taken train(file, split.train), held_out(file, split.held_out);
  TaughtText taught = Teacher(train.examples(), teaching).learn(file);
  taught.held_out = taught::by_length(taught::replay_examples(
      architectures::RunningModel(taught.model).rewriter(), held_out.examples()));
  return taught;
}

// Asks what was left out of a large file. What is refused joins the examples.
void ask_rest(examples::ExampleFile& file, const TextTeaching& teaching, TaughtText& taught) {
  constexpr std::size_t kMostRefusedBytes = std::size_t{8} << 20;
  const architectures::RunningModel running(taught.model);
  const auto progress = [&](std::size_t done) {
    if (teaching.progress) teaching.progress(fmt::format("{} other examples checked", done));
    return true;
  };
  taught::RestChecker checker(running.rewriter(), file.examples, kMostRefusedBytes,
                              {teaching.solver.threads, progress});
  teaching.visit_all([&](examples::Example&& example) { checker.take(std::move(example)); });
  taught::Rest rest = checker.result();
  taught.rest = rest.score;
  taught.learned_since = rest.refused.size();
  file.left_out -= std::min(file.left_out, rest.refused.size());
  std::ranges::move(rest.refused, std::back_inserter(file.examples));
  std::ranges::stable_sort(file.examples, {}, &examples::Example::line);
  taught.wrong_rest = std::move(rest.wrong);
}

}  // namespace

TaughtText learn_text(examples::ExampleFile& file, const TextTeaching& teaching) {
  TaughtText taught = learn_and_ask(file, teaching);
  if (!taught.held_out.empty()) Teacher(file.examples, teaching).learn_again(taught);
  if (teaching.visit_all) {
    ask_rest(file, teaching, taught);
    if (taught.learned_since > 0) Teacher(file.examples, teaching).learn_again(taught);
    std::ranges::move(taught.wrong_rest, std::back_inserter(taught.system.suspicious));
  }
  const architectures::RunningModel running(taught.model);
  taught.questions = taught::open_questions(running.rewriter(), file.examples);
  write_card(file, taught);
  return taught;
}

}  // namespace nrs::cli

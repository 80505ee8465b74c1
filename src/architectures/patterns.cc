// Text systems by patterns: leaves are found exactly, values come from a table or a Solver.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "architectures/networks.h"
#include "architectures/pattern_model.h"
#include "architectures/taught_solver.h"
#include "nrs/error.h"
#include "rewrite/modular.h"
#include "text/json.h"
#include "text/pattern_modules.h"

namespace nrs::architectures {
namespace {

using Json = nlohmann::ordered_json;

rewrite::Habits habits_of(const PatternModel& model) {
  return {.balanced = model.set.balanced,
          .erases = model.erases,
          .linear = model.set.growth.linear,
          .quadratic = model.set.growth.quadratic};
}

// Every way to write a row of classes; false if there is no end to them.
bool spell_all(const text::PatternSet& set, const std::vector<std::string>& row,
               std::set<std::string>& texts) {
  constexpr std::size_t kMost = 100'000;
  std::vector<std::vector<std::string_view>> rows = {{}};
  for (const std::string& symbol : row) {
    const bool other_class = symbol.size() > 2 && symbol.front() == '<' && symbol.back() == '>';
    if (other_class && symbol != text::kValue) return false;
    std::vector<std::string_view> choices = {symbol};
    if (symbol == text::kValue) choices.assign(set.values.begin(), set.values.end());
    std::vector<std::vector<std::string_view>> longer;
    for (const auto& before : rows) {
      for (const std::string_view choice : choices) {
        longer.push_back(before);
        longer.back().push_back(choice);
      }
    }
    rows = std::move(longer);
    if (rows.size() > kMost) return false;
  }
  const text::Lexer lexer(set.lexer);
  for (const auto& tokens : rows) texts.insert(lexer.spell(tokens));
  return true;
}

// The leaves that the model can solve without a network, spelt as its table spells them, and its
// final texts: those of the table, and all that can be made of values where a pattern copies one.
// Tells whether there are no others.
bool solvable_leaves(const PatternModel& model, std::set<std::string>& texts) {
  for (const auto& [leaf, value] : model.table) {
    texts.insert(leaf);
    texts.insert(value);  // which may be final
  }
  bool complete = true;
  for (const auto& shape : model.set.finals.shapes) {
    complete = spell_all(model.set, shape, texts) && complete;
  }
  for (const text::Pattern& pattern : model.set.patterns) {
    complete =
        (!(pattern.copies || pattern.computes) || spell_all(model.set, pattern.body, texts)) &&
        complete;
  }
  texts.erase("");
  return complete;
}

// What the Rewriter runs on.
struct PatternParts {
  PatternParts(const model::Model& model, const RewriterOptions& options)
      : patterns(pattern_model_of(model)),
        reader(patterns.set),
        selector(reader),
        taught(model, patterns.table, options),
        solver(reader, taught) {}

  PatternModel patterns;
  text::Reader reader;
  text::PatternSelector selector;
  TaughtSolver taught;
  text::PatternSolver solver;
};

class PatternRewriter final : private PatternParts, public rewrite::FastNrs {
 public:
  PatternRewriter(const model::Model& model, const RewriterOptions& options)
      : PatternParts(model, options),
        FastNrs(selector, PatternParts::solver, taught.threshold(), habits_of(patterns)) {}

  void check(std::string_view formula) const override { reader.check(formula); }
};

std::string show(const text::Pattern& pattern) {
  return fmt::format("{}   after {}   before {}", fmt::join(pattern.body, " "),
                     fmt::join(pattern.left, " "), fmt::join(pattern.right, " "));
}

class PatternsArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return kPatternsArchitecture; }
  std::string_view purpose() const override {
    return "find leaves by patterns of tokens, and rewrite all in each round";
  }
  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& options) const override {
    return std::make_unique<PatternRewriter>(model, options);
  }

  Compilable compilable(const model::Model& model) const override {
    const PatternModel patterns = pattern_model_of(model);
    if (patterns.set.finals.open()) return {.hindrance = "its final texts have any length"};
    if (!patterns.set.alone.empty()) {
      return {.hindrance = "some leaves have another value if they are the whole text"};
    }
    if (patterns.erases && patterns.set.lexer.spaced) {
      return {.hindrance = "values are empty, and there are blanks between tokens"};
    }
    std::set<std::string> leaves;
    Compilable what;
    what.complete = solvable_leaves(patterns, leaves) && !model.has(model::kSolverModule);
    what.leaves.emplace(leaves.begin(), leaves.end());
    what.habits = habits_of(patterns);
    what.kept.emplace_back(kPatternsModule);
    if (model.has(model::kSolverModule)) what.kept.emplace_back(model::kSolverModule);
    return what;
  }

  Json describe(const model::Model& model) const override {
    Json json = {{"patterns", Json::parse(model.module(kPatternsModule).fields)}};
    if (model.has(model::kSolverModule)) json["solver"] = describe_networks(model)["solver"];
    return json;
  }
  std::vector<InfoLine> summary(const model::Model& model) const override {
    const PatternModel patterns = pattern_model_of(model);
    std::vector<InfoLine> lines;
    for (const text::Pattern& pattern : patterns.set.patterns) {
      lines.push_back({lines.empty() ? "leaves" : "", show(pattern)});
    }
    lines.push_back({"values", fmt::format("{} in a table", patterns.table.size())});
    for (InfoLine& line : summarise_solver(model)) lines.push_back(std::move(line));
    return lines;
  }
  CardNotes card(const model::Model& model) const override {
    const bool computes = model.has(model::kSolverModule);
    CardNotes notes{.how = fmt::format(
                        "Patterns of tokens say exactly what a leaf is: its tokens, and what may "
                        "stand before and behind it. Its value comes from a table{}.",
                        computes ? ", or from a neural network where the table has none" : "")};
    for (const text::Pattern& pattern : pattern_model_of(model).set.patterns) {
      notes.learned.push_back(show(pattern));
    }
    notes.limits.emplace_back(
        "What no example shows is refused: a token, a neighbour of a leaf or a leaf that was never "
        "taught.");
    notes.limits.emplace_back(
        "The patterns explain the examples, no more: wrong or too few examples teach a wrong "
        "system.");
    return notes;
  }
};

}  // namespace

model::Module to_module(const PatternModel& patterns) {
  Json support = Json::array();
  for (const auto& [rewrites, leaves] : patterns.support) support.push_back({rewrites, leaves});
  Json fields = text::to_json(patterns.set);
  fields["erases"] = patterns.erases;
  fields["support"] = support;
  model::Module module;
  module.fields = fields.dump();
  module.tables["patterns.table"] = tensor_of(patterns.table);
  return module;
}

PatternModel pattern_model_of(const model::Model& model) {
  const model::Module& module = model.module(kPatternsModule);
  PatternModel patterns;
  const Json fields = Json::parse(module.fields);
  patterns.set = text::patterns_of(fields);
  try {
    fields.at("erases").get_to(patterns.erases);
    for (const Json& entry : fields.at("support")) {
      patterns.support.push_back(
          {entry.at(0).get<std::uint64_t>(), entry.at(1).get<std::uint64_t>()});
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::kInput,
                std::string("the patterns of the model are damaged: ") + error.what());
  }
  const auto table = module.tables.find("patterns.table");
  if (table == module.tables.end()) {
    throw Error(ErrorKind::kInput, "the model has patterns, but no table of values");
  }
  patterns.table = table_of(table->second, "the table of values in the model is damaged");
  return patterns;
}

const Architecture& patterns_architecture() {
  static const PatternsArchitecture architecture;
  return architecture;
}

}  // namespace nrs::architectures

// Compiling: automata and tables say what the modules said that they were made of, and the loop on
// them does what the engine does.
#include "compile/compile_solver.h"

#include <gtest/gtest.h>

#include <map>

#include "architectures/compiled_model.h"
#include "base/rng.h"
#include "compile/merge_states.h"
#include "compile/table_rules.h"
#include "eval/stages.h"
#include "nrs/error.h"
#include "property.h"
#include "rewrite/oracle.h"
#include "runtime/mark_selector.h"
#include "runtime/marked_run.h"
#include "runtime/table_solver.h"

namespace nrs::compile {
namespace {

using runtime::LeafTable;
using runtime::Mark;
using runtime::MarkAutomata;
using runtime::MarkedParts;
using runtime::MarkedRun;
using runtime::TableValue;

std::string random_text(Rng& rng, std::size_t least, std::size_t most, std::string_view letters) {
  std::string text;
  for (std::size_t i = least + rng.below(most - least + 1); i > 0; --i) {
    text += letters[rng.below(letters.size())];
  }
  return text;
}

LeafTable table_of(const std::map<std::string, TableValue>& said) {
  std::vector<std::string> leaves;
  std::vector<TableValue> values;
  for (const auto& [leaf, value] : said) {
    leaves.push_back(leaf);
    values.push_back(value);
  }
  return LeafTable::of(leaves, values);
}

std::string shown(const LeafTable& table, std::string_view leaf) {
  std::string_view copied;
  const TableValue* value = table.find(leaf, copied);
  if (value == nullptr) return "unknown";
  return value->omega ? "omega" : value->text + std::string(copied);
}

TEST(LeafTable, SaysWhatItWasTold) {
  check_law("every leaf has its value, and no other text has one", [] {
    Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    std::map<std::string, TableValue> said;
    for (std::size_t i = 1 + rng.below(300); i > 0; --i) {
      TableValue& value = said[random_text(rng, 1, 6, "ab(+")];
      value.omega = rng.chance(0.1);
      if (!value.omega) value.text = random_text(rng, 0, 3, "ab(");
      value.log_prob = rng.chance(0.5) ? -1 : -2;
    }
    const LeafTable table = table_of(said);
    RC_ASSERT(table.size() == said.size());
    for (const auto& [leaf, value] : said) {
      RC_ASSERT(shown(table, leaf) == (value.omega ? "omega" : value.text));
    }
    for (int i = 0; i < 100; ++i) {
      const std::string other = random_text(rng, 0, 7, "ab(+");
      if (!said.contains(other)) RC_ASSERT(shown(table, other) == "unknown");
    }
  });
}

TEST(LeafTable, ValuesThatEndAsTheirLeavesDoShareTheirRows) {
  std::map<std::string, TableValue> said;
  std::size_t all = 0;
  find_domain("algebra").for_each_leaf(FormulaSpace::kWhole, [&](auto leaf, auto value) {
    if (leaf.size() > 12) return;
    said[std::string(leaf)].text = value;
    ++all;
  });
  const LeafTable table = table_of(said);
  for (const auto& [leaf, value] : said) ASSERT_EQ(shown(table, leaf), value.text);
  EXPECT_LT(table.parts().cells.size(), all / 2);
}

TEST(LeafTable, RefusesPartsThatDoNotHoldTogether) {
  const LeafTable table = table_of({{"a", {.text = "b"}}, {"ab", {.text = "c"}}});
  LeafTable::Parts parts = table.parts();
  parts.rows.clear();
  EXPECT_THROW(LeafTable{parts}, Error);
  parts = table.parts();
  parts.row_begins.back() ^= 1;
  EXPECT_THROW(LeafTable{parts}, Error);
  parts = table.parts();
  parts.cells.front() = 99;
  EXPECT_THROW(LeafTable{parts}, Error);
  parts = table.parts();
  parts.leaves.next[parts.leaves.classes() + 1] = 1;  // a text that goes on for ever
  EXPECT_THROW(LeafTable{parts}, Error);
}

// Whether the number of ones so far can be divided by three; twos change nothing.
TEST(MergeStates, FindsTheSmallestAutomaton) {
  std::vector<SymbolRow> rows;
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    SymbolRow& row = rows.emplace_back();
    int ones = 0;
    for (int k = 0; k < 20; ++k) {
      row.answers.push_back(ones % 3 == 0 ? 1 : 0);
      row.questions.push_back(0);
      row.symbols.push_back(static_cast<std::uint8_t>(1 + rng.below(2)));
      ones += row.symbols.back() == 1 ? 1 : 0;
    }
  }
  const Automaton automaton = merge_states(rows, 3, 20);
  ASSERT_EQ(automaton.states(), 4U);  // with the one that is no state
  EXPECT_THROW(merge_states(rows, 3, 1), Error);
  std::uint8_t state = 1;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(automaton.step(state, 2), state);
    state = automaton.step(state, 1);
    EXPECT_EQ(state == 1, i == 2);
  }
  EXPECT_EQ(automaton.step(1, 0), 0);  // never seen
}

class EachDomain : public testing::TestWithParam<const char*> {};

CompiledSelector compile_oracle(const Domain& domain, std::uint64_t contexts) {
  const rewrite::OracleSelector selector(domain);
  return compile_selector({.selector = &selector,
                           .texts = eval::texts_of({&domain}, 1),
                           .sample = 150'000,
                           .contexts = contexts,
                           .threads = 2,
                           .progress = {}});
}

TEST_P(EachDomain, AutomataMarkWhatTheSelectorMarks) {
  const CompiledSelector compiled = compile_oracle(find_domain(GetParam()), 300'000);
  EXPECT_GE(compiled.comparison.contexts, 300'000U);
  EXPECT_EQ(compiled.comparison.different, 0U);
  EXPECT_EQ(compiled.comparison.asked, 0U);
}
INSTANTIATE_TEST_SUITE_P(Compile, EachDomain, testing::Values("listops", "arithmetic", "algebra"));

// What depends on every character of a text has no small automata: the Selector is asked then.
TEST(CompileSelector, AsksWhereThereIsNothingToLearn) {
  class Whimsical : public Selector {
   public:
    std::vector<std::vector<SelectedLeaf>> select(
        std::span<const Fragment> fragments) const override {
      std::vector<std::vector<SelectedLeaf>> leaves(fragments.size());
      for (std::size_t i = 0; i < fragments.size(); ++i) {
        if (hash_text(fragments[i].text) % 2 == 0) leaves[i].push_back({{0, 1}, 0});
      }
      return leaves;
    }
  };
  const Whimsical selector;
  const CompiledSelector compiled =
      compile_selector({.selector = &selector,
                        .texts = eval::texts_of({&find_domain("logic")}, 1),
                        .sample = 3000,
                        .contexts = 3000,
                        .repairs = 1,
                        .progress = {}});
  EXPECT_GT(compiled.asked, 0U);
  EXPECT_GT(compiled.comparison.asked, compiled.comparison.formulas / 4);
}

TEST(CompileSelector, TheSameWithAnyNumberOfThreads) {
  const Domain& domain = find_domain("arithmetic");
  const rewrite::OracleSelector selector(domain);
  SelectorRequest request{.selector = &selector,
                          .texts = eval::texts_of({&domain}, 5),
                          .sample = 20'000,
                          .contexts = 20'000,
                          .threads = 1,
                          .progress = {}};
  const CompiledSelector one = compile_selector(request);
  request.threads = 3;
  EXPECT_EQ(compile_selector(request).automata, one.automata);
}

TEST(Guard, ListsAllThatItAccepts) {
  const std::vector<std::string> texts = {"", "ab", "abc", "b"};
  const auto guard = model::LeafGuard::of_texts(texts, model::LeafGuard::kWholeTexts);
  EXPECT_EQ(guard.texts(4), texts);
  EXPECT_EQ(guard.texts(3), std::nullopt);
  const auto endless = model::LeafGuard::of_texts({"aab"}, 2);
  EXPECT_EQ(endless.texts(1000), std::nullopt);
}

TEST(CompileSolver, ClassesOfCertaintyAreApartAtTheThreshold) {
  class Unsure : public Solver {
   public:
    std::vector<Solution> solve(std::span<const std::string_view> leaves) const override {
      std::vector<Solution> solutions;
      for (const std::string_view leaf : leaves) {
        solutions.push_back({.value = "v", .log_prob = -0.01 * static_cast<double>(leaf.size())});
      }
      return solutions;
    }
  };
  const Unsure solver;
  std::vector<std::string> leaves;
  for (std::size_t i = 1; i <= 100; ++i) leaves.emplace_back(i, 'a');
  const CompiledSolver compiled =
      compile_solver({.solver = &solver, .leaves = leaves, .min_log_prob = -0.505, .progress = {}});
  EXPECT_EQ(compiled.unsure, 50U);
  std::string_view copied;
  for (const std::string& leaf : leaves) {
    const double said = compiled.table.find(leaf, copied)->log_prob;
    EXPECT_EQ(said >= -0.505, leaf.size() <= 50);
    EXPECT_LE(said, -0.01 * static_cast<double>(leaf.size()));
  }
}

std::string rules_in(const Domain& domain) {
  std::map<std::string, TableValue> said;
  domain.for_each_leaf(FormulaSpace::kWhole,
                       [&](auto leaf, auto value) { said[std::string(leaf)].text = value; });
  domain.for_each_atom([&](auto atom) { said[std::string(atom)].omega = true; });
  return to_text(rules_of(table_of(said)));
}

TEST(TableRules, AreTheLawsOfLogic) {
  EXPECT_EQ(rules_in(find_domain("logic")), R"((x&x) -> x  # 28 leaves
(F&x) -> F  # 28 leaves
(T&x) -> x  # 28 leaves
(x&F) -> F  # 28 leaves
(x&T) -> x  # 28 leaves
(x|x) -> x  # 28 leaves
(F|x) -> x  # 28 leaves
(T|x) -> T  # 28 leaves
(x|F) -> x  # 28 leaves
(x|T) -> T  # 28 leaves
(!F) -> T   # 1 leaf
(!T) -> F   # 1 leaf
)");
}

TEST(TableRules, TellWhatIsComputedAndWhatIsAnException) {
  std::map<std::string, TableValue> said;
  for (char c = 'a'; c <= 'z'; ++c) {
    said[std::string(1, c)].omega = true;
    said[std::string("F(") + c + ")"].text = c == 'q' ? "z" : "a";
    said[std::string("G(") + c + ")"].text = c == 'z' ? 'a' : static_cast<char>(c + 1);
  }
  EXPECT_EQ(to_text(rules_of(table_of(said))),
            "F(x) -> a      # 26 leaves; 1 exception: F(q) -> z\n"
            "G(x) computed  # 26 leaves, 26 values: G(a) -> b, G(b) -> c, G(c) -> d\n");
}

// Parts that make no sense: whatever they say, both engines must do it.
MarkedParts random_parts(Rng& rng) {
  MarkAutomata automata;
  constexpr std::string_view kLetters = "abc";
  automata.classes = 4;
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    automata.class_of[static_cast<unsigned char>(kLetters[i])] = static_cast<std::uint8_t>(i + 1);
  }
  const std::size_t lefts = 2 + rng.below(3), rights = 2 + rng.below(3);
  for (std::size_t i = 0; i < lefts * 4; ++i) {
    automata.left.push_back(static_cast<std::uint8_t>(1 + rng.below(lefts - 1)));
  }
  for (std::size_t i = 0; i < rights * 4; ++i) {
    automata.right.push_back(static_cast<std::uint8_t>(1 + rng.below(rights - 1)));
  }
  for (std::size_t i = 0; i < lefts * 4 * rights; ++i) {
    automata.marks.push_back(rng.chance(0.02) ? Mark::kUnknown : static_cast<Mark>(rng.below(3)));
  }
  for (int i = 0; i < 16; ++i) automata.neighbours.push_back(rng.chance(0.02) ? 0 : 1);
  automata.check();
  std::map<std::string, TableValue> said;
  const bool erases = rng.chance(0.5);
  for (int i = 0; i < 60; ++i) {
    TableValue& value = said[random_text(rng, 1, 4, kLetters)] = {};
    value.omega = rng.chance(0.1);
    if (!value.omega)
      value.text = random_text(rng, erases ? 0 : 1, rng.chance(0.2) ? 4 : 2, kLetters);
    value.log_prob = rng.chance(0.2) ? -2 : 0;
  }
  return {.automata = automata,
          .table = table_of(said),
          .habits = {.balanced = false, .erases = erases}};
}

TEST(MarkedRun, DoesWhatTheEngineDoes) {
  std::map<Stop, int> stops;
  MarkedRun loop;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Rng rng(seed);
    const MarkedParts parts = random_parts(rng);
    const runtime::MarkSelector selector(parts.automata);
    const runtime::LeafSolver solver(parts.table);
    const rewrite::FastNrs engine(selector, solver, -1, parts.habits);
    for (int i = 0; i < 5; ++i) {
      const std::string text = random_text(rng, 0, 30, "abc");
      RunOptions options{.min_log_prob = -1};
      if (rng.chance(0.2)) options.max_steps = 3;
      const Result expected = engine.rewrite(text, options);
      const Result result = loop.run(parts, text, options);
      ASSERT_EQ(result.formula, expected.formula) << seed << " " << text;
      ASSERT_EQ(name_of(result.stop), name_of(expected.stop)) << seed << " " << text;
      ASSERT_EQ(result.steps, expected.steps) << seed << " " << text;
      ASSERT_EQ(result.rounds, expected.rounds) << seed << " " << text;
      ++stops[result.stop];
    }
  }
  for (const Stop stop : {Stop::kFinal, Stop::kLowConfidence, Stop::kUnknownLeaf, Stop::kNoLeaf,
                          Stop::kCycle, Stop::kStepLimit}) {
    EXPECT_GT(stops[stop], 10) << name_of(stop);
  }
}

TEST(MarkedRun, RefusesAValueThatBreaksBrackets) {
  Rng rng(1);
  MarkedParts parts = random_parts(rng);
  parts.automata.class_of['('] = 1;
  for (Mark& mark : parts.automata.marks) mark = Mark::kBegin;
  for (std::uint8_t& met : parts.automata.neighbours) met = 1;
  parts.table = table_of({{"a", {.text = "("}}});
  parts.habits = {};
  MarkedRun loop;
  const Result result = loop.run(parts, "a", {});
  EXPECT_EQ(result.stop, Stop::kMalformed);
  EXPECT_EQ(result.formula, "a");
  parts.automata.marks.assign(parts.automata.marks.size(), Mark::kUnknown);
  EXPECT_EQ(loop.run(parts, "a", {}).stop, Stop::kNoLeaf);
}

TEST(CompiledModel, IsTheSameAfterItWasStored) {
  Rng rng(7);
  architectures::CompiledModel compiled{
      .parts = random_parts(rng), .tokens = {"a", "b", "c"}, .reach = 9, .min_log_prob = -0.25};
  model::Model model;
  model.name = "test";
  architectures::store(compiled, model);
  const architectures::CompiledModel again = architectures::compiled_model_of(model);
  EXPECT_EQ(again.parts.automata, compiled.parts.automata);
  EXPECT_EQ(again.parts.table.parts(), compiled.parts.table.parts());
  EXPECT_EQ(again.complete, compiled.complete);
  EXPECT_EQ(again.parts.habits.erases, compiled.parts.habits.erases);
  EXPECT_EQ(again.tokens, compiled.tokens);
  EXPECT_EQ(again.reach, compiled.reach);
  EXPECT_EQ(again.min_log_prob, compiled.min_log_prob);
  model.modules["marks"].tables.erase("marks.left");
  EXPECT_THROW(architectures::compiled_model_of(model), Error);
}

}  // namespace
}  // namespace nrs::compile

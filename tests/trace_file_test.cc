#include "data/trace_file.h"

#include "nrs/error.h"
#include "property.h"
#include "temporary.h"

namespace nrs::data {
namespace {

TEST(RecoverStep, FindsTheLeafThatWasRewritten) {
  EXPECT_EQ(recover_step("((1+2)*(3-4))", "(3*(3-4))"), (Step{{1, 6}, "3"}));
  EXPECT_EQ(recover_step("((3+0)*2)", "(3*2)"), (Step{{1, 6}, "3"}));
  EXPECT_EQ(recover_step("(11*(1+0))", "(11*1)"), (Step{{4, 9}, "1"}));
  EXPECT_EQ(recover_step("[MAX[MIN12]2]", "[MAX12]"), (Step{{4, 11}, "1"}));
  EXPECT_EQ(recover_step("(1+2)", "3"), (Step{{0, 5}, "3"}));
  EXPECT_EQ(recover_step("((a|T)&((a|T)&T))", "((a|T)&(T&T))"), (Step{{8, 13}, "T"}));
}

TEST(RecoverStep, WorksWithoutBrackets) {
  EXPECT_EQ(recover_step("mul add 1 2 5", "mul 3 5"), (Step{{4, 11}, "3"}));
  EXPECT_EQ(recover_step("x a b y", "x c y"), (Step{{2, 5}, "c"}));
}

TEST(RecoverStep, RefusesWhatIsNotOneLocalRewrite) {
  const auto complaint = [](std::string_view formula, std::string_view next) {
    try {
      recover_step(formula, next);
      return std::string("fine");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(complaint("(1+2)", "(1+2)"), "the next formula is the same");
  EXPECT_EQ(complaint("((1+2)*(3-4))", "(3*-1)"),
            "not one local rewrite: '(1+2)*(3-4)' became '3*-1'");
  EXPECT_EQ(complaint("((1+2)*3)", "9"), "not one local rewrite: '((1+2)*3)' became '9'");
  EXPECT_NE(complaint("((1+2)*3)", "(3*4)"), "fine");
}

TEST(RecoverStep, UndoesEveryRewriteOfEveryDomain) {
  check_law("recover", [] {
    const AnyFormula any = any_formula(4);
    const RewriteExample example = make_example(*any.domain, any.sample.formula);
    for (const Step& step : example.steps) {
      const std::string next = combine(example.formula, std::span(&step, 1));
      const Step found = recover_step(example.formula, next);
      // Equal leaves side by side give the same next formula: either is right.
      RC_ASSERT(combine(example.formula, std::span(&found, 1)) == next);
      RC_ASSERT(found.leaf.of(example.formula) == step.leaf.of(example.formula));
      RC_ASSERT(found.value == step.value);
    }
  });
}

class TraceFile : public TemporaryFolder {
 protected:
  std::string complaint(const std::string& name, std::string_view content) {
    const auto path = write(name, content);
    try {
      read_trace_file(path);
      return "fine";
    } catch (const Error& error) {
      return std::string(error.what()).substr(path.string().size());
    }
  }
};

TEST_F(TraceFile, CsvRowsOfOneFormulaBecomeOneExample) {
  const auto path =
      write("t.csv", "formula,next\n((1+2)*(3-4)),(3*(3-4))\n((1+2)*(3-4)),((1+2)*-1)\n9,\n");
  const std::vector<RewriteExample> examples = read_trace_file(path);
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_EQ(examples[0], make_example(find_domain("arithmetic"), "((1+2)*(3-4))"));
  EXPECT_EQ(examples[1], make_example(find_domain("arithmetic"), "9"));
}

TEST_F(TraceFile, JsonLinesAreReadAsTheyAreWritten) {
  std::string content;
  std::vector<RewriteExample> expected;
  for (const char* formula : {"((1+2)*(3-4))", "9", "(-8+-3)"}) {
    expected.push_back(make_example(find_domain("arithmetic"), formula));
    content += to_json_line(expected.back()) + "\n";
  }
  EXPECT_EQ(read_trace_file(write("t.jsonl", content)), expected);
}

TEST_F(TraceFile, NamesTheLineOfAFault) {
  EXPECT_EQ(complaint("t.csv", "formula,next\n(1+2),3\n((1+2)*3),9\n"),
            ":3: not one local rewrite: '((1+2)*3)' became '9'");
  EXPECT_EQ(complaint("t.csv", "formula,next\n(1+2),3\n(1+2),4\n"),
            ":3: the rewrite contradicts an earlier one of the same formula");
  EXPECT_EQ(complaint("t.csv", "formula,next\n(1+2),3\n(1+2),\n"),
            ":3: the formula is final here, but not in an earlier line");
  EXPECT_EQ(complaint("t.jsonl", "{\"formula\": \"1\", \"final\": true}\n{\"formula\""),
            ":2: not valid JSON");
  EXPECT_EQ(complaint("t.jsonl", "[1]"), ":1: expected an object: {...}");
  EXPECT_EQ(complaint("t.jsonl", R"({"formula": 5})"), ":1: 'formula' has the wrong type");
  EXPECT_EQ(complaint("t.jsonl", R"({"formula": "a", "extra": 1})"), ":1: unknown key 'extra'");
  EXPECT_EQ(complaint("t.jsonl", R"({"formula": "a"})"),
            ":1: a formula has either steps or \"final\": true");
  EXPECT_EQ(complaint("t.jsonl",
                      R"x({"formula": "(1+2)", "steps": [{"begin": 0, "end": 6, "value": "3"}]})x"),
            ":1: the span 0-6 is empty, out of order or outside the formula");
  EXPECT_EQ(
      complaint("t.jsonl",
                R"x({"formula": "(1+2)", "steps": [{"begin": -1, "end": 5, "value": "3"}]})x"),
      ":1: 'begin' has the wrong type");
  EXPECT_EQ(complaint("t.jsonl", std::string(200000, '[')), ":1: nested too deeply");
  EXPECT_EQ(complaint("t.jsonl", R"({"formula": "a", "steps": [1, 2, 3]})"),
            ":1: 'steps' has the wrong type");
  EXPECT_EQ(complaint("t.jsonl", R"({"formula": "a", "steps": {"a": {"b": {"c": 1}}}})"),
            ":1: nested too deeply");
  EXPECT_EQ(complaint("t.txt", ""), ": unknown kind of trace file");
}

}  // namespace
}  // namespace nrs::data

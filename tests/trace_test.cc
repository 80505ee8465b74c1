// How derivations are drawn.
#include "cli/trace.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "property.h"

namespace nrs::cli {
namespace {

Attempt attempt(Span leaf, std::string value, double solver_log_prob) {
  return {.step = {leaf, std::move(value)},
          .selector_log_prob = -0.00002,
          .solver_log_prob = solver_log_prob,
          .applied = true};
}

// ((1+2)*(1+2)) with a last round in which the model says that 9 is final.
Result finished() {
  Attempt omega = attempt({0, 1}, "", -0.0003);
  omega.omega = true;
  omega.applied = false;
  return {.formula = "9",
          .stop = Stop::kFinal,
          .steps = 3,
          .rounds = 2,
          .record = {{attempt({1, 6}, "3", -0.01), attempt({7, 12}, "3", -0.01)},
                     {attempt({0, 5}, "9", -0.002)},
                     {omega}}};
}

TEST(Trace, OfAModelSaysWhatBothModulesSaidOfEachLeaf) {
  EXPECT_EQ(draw_trace("((1+2)*(1+2))", finished(), {.threshold = -0.1}),
            "0  ((1+2)*(1+2))\n"
            "    └─3─┘ └─3─┘\n"
            "     leaf   Selector    value    Solver\n"
            "     (1+2)   -0.0000  → 3       -0.0100 ≥ -0.1000  used 2 times\n"
            "1  (3*3)\n"
            "   └─9─┘\n"
            "     (3*3)   -0.0000  → 9       -0.0020 ≥ -0.1000  used\n"
            "2  9\n"
            "     9       -0.0000  → ω       -0.0003 ≥ -0.1000  final\n"
            "   final: 3 rewrites in 2 rounds\n");
}

TEST(Trace, OfACompiledModelSaysOnWhichSideOfTheThresholdAValueIs) {
  Attempt step = attempt({0, 5}, "3", -0.05);
  step.selector_log_prob = 0;
  step.origin.source = ValueSource::kTable;
  const Result result{.formula = "3", .steps = 1, .rounds = 1, .record = {{step}}};
  const std::string drawn = draw_trace("(1+2)", result, {.threshold = -0.1});
  EXPECT_NE(drawn.find("     (1+2)     table  → 3          sure ≥ -0.1000  used\n"),
            std::string::npos)
      << drawn;
}

TEST(Trace, OfTheExactRulesHasNoConfidence) {
  EXPECT_EQ(draw_trace("((1+2)*(1+2))", finished(), {}),
            "0  ((1+2)*(1+2))\n"
            "    └─3─┘ └─3─┘\n"
            "1  (3*3)\n"
            "   └─9─┘\n"
            "2  9\n"
            "   final: 3 rewrites in 2 rounds\n");
}

TEST(Trace, AValueThatIsNotUsedIsMarkedAndExplained) {
  Attempt unsure = attempt({1, 6}, "4", -1.5);
  unsure.applied = false;
  const Result result{.formula = "((1+2)*3)",
                      .stop = Stop::kLowConfidence,
                      .steps = 0,
                      .rounds = 0,
                      .record = {{unsure}}};
  EXPECT_EQ(draw_trace("((1+2)*3)", result, {.threshold = -0.1}),
            "0  ((1+2)*3)\n"
            "    ?????\n"
            "     leaf   Selector    value    Solver\n"
            "     (1+2)   -0.0000  → 4       -1.5000 < -0.1000  not sure, not used\n"
            "   low confidence: 0 rewrites in 0 rounds\n");
}

TEST(Trace, OmegaOfAPartIsNotFinal) {
  Result result = finished();
  result.record[0][0].omega = true;
  result.record[0][0].applied = false;
  const std::string drawn = draw_trace("((1+2)*(1+2))", result, {.threshold = -0.1});
  EXPECT_NE(drawn.find("→ ω       -0.0100 ≥ -0.1000  only a part, not used\n"), std::string::npos)
      << drawn;
}

TEST(Trace, CountsCharactersAndNotBytes) {
  const Result result{.formula = "∅",
                      .stop = Stop::kFinal,
                      .steps = 1,
                      .rounds = 1,
                      .record = {{attempt({0, 9}, "∅", 0)}}};
  EXPECT_EQ(draw_trace("a∩b∪c", result, {}),  // of 9 bytes
            "0  a∩b∪c\n"
            "   └─∅─┘\n"
            "1  ∅\n"
            "   final: 1 rewrite in 1 round\n");
}

TEST(Trace, LongFormulasAreBroken) {
  const Result result{
      .formula = "3", .steps = 1, .rounds = 1, .record = {{attempt({0, 5}, "3", 0)}}};
  EXPECT_EQ(draw_trace("(1+2)", result, {.width = 3}),
            "0  (1+\n"
            "   └─3\n"
            "   2)\n"
            "   ─┘\n"
            "1  3\n"
            "   step limit: 1 rewrite in 1 round\n");
}

TEST(Trace, ColourChangesNothingElse) {
  const auto without_colour = [](const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\x1b') {
        i = text.find('m', i);
      } else {
        plain += text[i];
      }
    }
    return plain;
  };
  for (const std::optional<double> threshold :
       {std::optional<double>(-0.1), std::optional<double>()}) {
    const std::string coloured =
        draw_trace("((1+2)*(1+2))", finished(), {.colour = true, .threshold = threshold});
    const std::string plain = draw_trace("((1+2)*(1+2))", finished(), {.threshold = threshold});
    EXPECT_NE(coloured, plain);
    EXPECT_EQ(without_colour(coloured), plain);
  }
}

TEST(Characters, PutTogetherAreTheText) {
  check_law("characters joined", [](const std::string& text) {
    std::string joined;
    for (const std::string_view character : characters(text)) {
      RC_ASSERT(!character.empty());
      joined += character;
    }
    RC_ASSERT(joined == text);
  });
  EXPECT_EQ(characters("a∪\xff").size(), 3u);
}

}  // namespace
}  // namespace nrs::cli

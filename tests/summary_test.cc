// What is found in examples before anything is learned from them.
#include "examples/summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/lines.h"
#include "examples/held_out.h"
#include "nrs/error.h"
#include "property.h"

namespace nrs::examples {
namespace {

Summary summary_of(std::string_view text) {
  return summarise(parse_examples(text, "test"));
}

std::vector<std::string> findings_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const Finding& finding : summary_of(text).found.list) {
    if (!is_wrong(finding.fault)) continue;
    lines.push_back(std::to_string(finding.line) + ": " + finding.text);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Summary, CountsWhatIsThere) {
  const Summary s = summary_of("((1+2)*3) -> (3*3) -> 9\n(3*3) -> 9\n9\n(⊤+a) -> ...\n");
  EXPECT_EQ(s.examples, 4u);
  EXPECT_EQ(s.chains, 3u);
  EXPECT_EQ(s.steps, 3u);
  EXPECT_EQ(s.finals, 1u);
  EXPECT_EQ(s.longest, 9u);
  EXPECT_EQ(s.longest_line, 1u);
  EXPECT_EQ(s.nesting, 2u);
  EXPECT_EQ(s.found.questions, 2u);
  EXPECT_EQ(s.found.few_values, (Lines{"9"}));
}

TEST(Summary, KnowsTheAlphabetAndTheTokens) {
  const Alphabet a = summary_of("MAX(12,x) -> 123\nMAX(⊤,λ) -> Привет\n").alphabet;
  EXPECT_EQ(a.longest_number, 3u);
  EXPECT_EQ(a.words, (Lines{"MAX", "Привет"}));
  EXPECT_TRUE(a.single_letters);
  EXPECT_FALSE(a.blanks);
  EXPECT_EQ(a.scripts, (Lines{"Latin", "Greek", "Cyrillic", "symbols"}));
  EXPECT_EQ(show_characters({"!", "+", "0", "1", "2", "3", "A", "B", "a"}), "! + 0-3 A B a");
}

TEST(Summary, NamesContradictionsWithBothLines) {
  EXPECT_EQ(findings_of("(1+2) = 3\n(1+2) = 4\n(1+2) = 3\n"),
            (Lines{"2: \"(1+2)\" is \"4\", but \"3\" in line 1"}));
  // The smaller number is wrong, wherever it stands.
  EXPECT_EQ(findings_of("(1+2) = 4\n(1+2) = 3\n(1+2) = 3\n"),
            (Lines{"1: \"(1+2)\" is \"4\", but \"3\" in line 2"}));
  EXPECT_EQ(findings_of("f(a) -> b -> c\nb -> d\n"),
            (Lines{"2: \"b\" is \"d\", but \"c\" in line 1"}));
  EXPECT_EQ(findings_of("f(a) -> g(a) -> b\nb -> c\n"),
            (Lines{"2: \"b\" is \"c\", but final in line 1"}));
  EXPECT_EQ(findings_of("f(a) -> b\ng(a) -> b -> c -> ...\n"),
            (Lines{"2: \"b\" is rewritten, but final in line 1"}));
  // Another way to the same value is none.
  EXPECT_EQ(findings_of("f(a) -> b -> c\nf(a) -> d -> c\n"), Lines{});
}

TEST(Summary, NamesPlacesWithTwoValues) {
  const auto line = [](const std::string& formula, int begin, int end, const std::string& value) {
    return "{\"formula\": \"" + formula + "\", \"steps\": [{\"begin\": " + std::to_string(begin) +
           ", \"end\": " + std::to_string(end) + ", \"value\": \"" + value + "\"}]}\n";
  };
  EXPECT_EQ(findings_of(line("((1+2)*3)", 1, 6, "3") + line("((1+2)*4)", 1, 6, "5")),
            (Lines{"2: \"(1+2)\" is \"5\", but \"3\" in line 1"}));
  EXPECT_EQ(findings_of(line("((1+2)*3)", 1, 6, "(1+2)")),
            (Lines{"1: \"(1+2)\" is its own value"}));
}

TEST(Summary, NamesStepsThatChangeNothing) {
  EXPECT_EQ(findings_of("f(a) -> f(a) -> a\nf(b) -> b\n"),
            (Lines{"1: \"f(a)\" is followed by itself"}));
}

TEST(Summary, NamesRareCharactersAndDuplicates) {
  const Findings found =
      summary_of("f(a) -> a\nf(b) -> b\nf(a) -> a\nf(b) -> b\nf(q) -> b\n").found;
  EXPECT_EQ(found.count(Fault::kRareCharacter), 1u);
  EXPECT_EQ(found.count(Fault::kDuplicate), 2u);
  EXPECT_EQ(found.list[0],
            (Finding{Fault::kRareCharacter, 5, 0, "the character 'q' stands in no other line"}));
  EXPECT_EQ(found.list[1], (Finding{Fault::kDuplicate, 3, 1, "the same as line 1"}));
  EXPECT_EQ(found.wrong(), 0u);
}

TEST(Summary, ShowsAtMostTenLinesWorstFirst) {
  std::string text = "f(b) -> f(b) -> b\n";
  for (int i = 0; i < 30; ++i) text += "f(a) -> " + std::string(i % 5 == 4 ? "b" : "a") + "\n";
  const std::string shown = to_text(summary_of(text));
  EXPECT_NE(shown.find("\nsuspicious   6 formulas with two values, 1 step that changes nothing, "),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("\n  line 6: \"f(a)\" is \"b\", but \"a\" in line 2\n"), std::string::npos);
  // Seven lines that are wrong, and one for all duplicates.
  EXPECT_NE(shown.find("\n  the same as an earlier line: lines 3, 4, 5, 7, 8 and 23 more\n"),
            std::string::npos)
      << shown;
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 9 + 1 + 7 + 1);
}

TEST(Summary, IsJsonForPrograms) {
  const auto json = nlohmann::json::parse(to_json(summary_of("(1+2) = 3\n(1+2) = 4\n")));
  EXPECT_EQ(json["kind"], "answers");
  EXPECT_EQ(json["formulas"]["notation"], "infix");
  EXPECT_EQ(json["suspicious"]["counts"]["two values"], 1);
  EXPECT_EQ(json["suspicious"]["list"][0]["other_line"], 1);
}

std::string refusal_of(const std::string& text) {
  try {
    require_teachable(summary_of(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Summary, RefusesWhatNobodyCanLearnFrom) {
  std::string same;
  std::string contradicting;
  std::string noisy;
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    same += "(1+2) = 3\n";
    contradicting += "(a+" + n + ") = 1\n(a+" + n + ") = 2\n";
    noisy += "(a+" + n + ") = 1\n(a+" + n + ") = " + (i % 20 == 0 ? "2\n" : "1\n");
  }
  EXPECT_EQ(refusal_of(same), "test: all 100 examples are the same");
  EXPECT_EQ(refusal_of(contradicting),
            "test:2: \"(a+0)\" is \"2\", but \"1\" in line 1; 100 of 200 lines contradict others");
  EXPECT_EQ(refusal_of(noisy), "none");
  EXPECT_EQ(refusal_of("d(x) -> 1\nd(x) -> 1\n"), "test: all 2 examples are the same");
  EXPECT_EQ(refusal_of("d(x) -> 1\n"), "none");
  EXPECT_NE(refusal_of("f(a) = 1\nf(a) = 2\nf(b) = 1\n"), "none");
  EXPECT_EQ(refusal_of("f(a) = 1\nf(a) = 2\nf(b) = 1\nf(c) = 1\n"), "none");
}

TEST(TermsOrText, SaysWhatTheTextsTell) {
  const auto likely = [](std::string_view text) {
    return terms_or_text(parse_examples(text, "test").examples).likely;
  };
  EXPECT_EQ(likely("d(plus(x,y)) -> plus(d(x),d(y))\n"), Likely::kTerms);
  EXPECT_EQ(likely("(f a (g b)) -> (g b)\n"), Likely::kTerms);
  EXPECT_EQ(likely("((15+5)*(3-4)) -> (20*-1) -> -20\n"), Likely::kEither);
  EXPECT_EQ(likely("1+2*3 -> 1+6 -> 7\n"), Likely::kText);
  EXPECT_EQ(likely("False and ( not True ) -> False\n"), Likely::kText);
  EXPECT_EQ(likely("cba -> bca -> bac -> abc\n"), Likely::kText);
  EXPECT_EQ(likely("[MAX 2 [MIN 3 4]] = 3\n"), Likely::kText);
  EXPECT_EQ(likely("( ( [MAX 2 ) 9 ) ] )\t9\n( ( [MAX 2 ) 1 ) ] )\t2\n"), Likely::kText);
}

TEST(HeldOut, TakesTheDeepestTenth) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    text += i % 10 == 3 ? "((a+" + n + ")+1) = 1\n" : "(a+a+a+a+a+" + n + ") = 1\n";
  }
  const std::vector<Example> examples = parse_examples(text, "test").examples;
  const Split split = split_held_out(examples, 1);
  EXPECT_EQ(split.train.size(), 90u);
  ASSERT_EQ(split.held_out.size(), 10u);
  for (const std::uint32_t i : split.held_out) EXPECT_EQ(i % 10, 3u);
  EXPECT_EQ(split_held_out(std::span(examples).first(15), 1).held_out.size(), 0u);
}

TEST(HeldOut, NothingThatIsHeldOutIsRewrittenInTraining) {
  check_law("held out", [] {
    const int count = *rc::gen::inRange(20, 60);
    std::vector<Example> examples(static_cast<std::size_t>(count));
    for (Example& example : examples) {
      const int length = *rc::gen::inRange(1, 4);
      for (int i = 0; i < length; ++i) {
        example.formulas.push_back(
            std::string(static_cast<std::size_t>(*rc::gen::inRange(1, 40)), 'a'));
      }
    }
    const Split split = split_held_out(examples, 7);
    RC_ASSERT(split.train.size() + split.held_out.size() == examples.size());
    std::set<std::string> held_out;
    for (const std::uint32_t i : split.held_out) held_out.insert(examples[i].formulas[0]);
    for (const std::uint32_t i : split.train) {
      for (std::size_t k = 0; k + 1 < examples[i].formulas.size(); ++k) {
        RC_ASSERT(held_out.count(examples[i].formulas[k]) == 0);
      }
    }
  });
}

// ---- What is written is read back.

// A formula that no form gives a meaning of its own.
std::string any_plain_formula(const std::vector<std::string>& letters) {
  const int length = *rc::gen::inRange(1, 12);
  std::string formula = "a";
  for (int i = 0; i < length; ++i) formula += *rc::gen::elementOf(letters);
  return formula + "b";
}

const std::vector<std::string> kLetters{"a", "1", "+", "(1)", "[]", "⊤",
                                        "é", " ", "|", "<",   "*",  "?"};
const std::vector<std::string> kAllLetters{"a",  "1",    ",", "\"", "⊤", " ",
                                           "->", " -> ", "=", "#",  ";", "\\"};

std::vector<Example> any_chains(const std::vector<std::string>& letters, int shortest,
                                int longest) {
  std::vector<Example> examples(static_cast<std::size_t>(*rc::gen::inRange(1, 6)));
  for (std::size_t i = 0; i < examples.size(); ++i) {
    examples[i].line = static_cast<std::uint32_t>(i + 1);
    const int length = i == 0 ? longest : *rc::gen::inRange(shortest, longest + 1);
    for (int k = 0; k < length; ++k) {
      examples[i].formulas.push_back(any_plain_formula(letters) + std::to_string(k));
    }
  }
  return examples;
}

TEST(Forms, ChainsAreReadBack) {
  check_law("chains", [] {
    std::vector<Example> examples = any_chains(kLetters, 1, 4);
    const std::string arrow =
        *rc::gen::elementOf(std::vector<std::string>{" -> ", " => ", " → ", " = "});
    std::string text;
    for (Example& example : examples) {
      for (std::size_t i = 0; i < example.formulas.size(); ++i) {
        text += (i == 0 ? "" : arrow) + example.formulas[i];
      }
      example.complete = example.formulas.size() == 1 || *rc::gen::arbitrary<bool>();
      text += example.complete ? "\n" : arrow + "...\r\n";
    }
    RC_ASSERT(parse_examples(text, "test").examples == examples);
  });
}

TEST(Forms, TablesAreReadBack) {
  check_law("tables", [] {
    std::vector<Example> examples = any_chains(kAllLetters, 2, 2);
    const char delimiter = *rc::gen::elementOf(std::string(",\t;"));
    std::string text = std::string("id") + delimiter + "question" + delimiter + "answer\n";
    for (Example& example : examples) {
      example.kind = Kind::kAnswer;
      text += std::to_string(example.line++) + delimiter;
      append_csv_field(text, example.formulas[0], delimiter);
      append_csv_field(text += delimiter, example.formulas[1], delimiter);
      text += '\n';
    }
    RC_ASSERT(parse_examples(text, "test").examples == examples);
  });
}

TEST(Forms, ColumnsAreReadBack) {
  check_law("columns", [] {
    std::vector<Example> examples = any_chains(kAllLetters, 2, 2);
    std::string text;
    for (Example& example : examples) {
      example.complete = false;
      text += example.formulas[0] + '\t' + example.formulas[1] + '\n';
    }
    ReadOptions options;
    options.kind = Kind::kSteps;
    RC_ASSERT(parse_examples(text, "test", options).examples == examples);
  });
}

TEST(Forms, JsonLinesAreReadBack) {
  check_law("JSON lines", [] {
    std::vector<Example> examples = any_chains(kAllLetters, 1, 4);
    std::string text;
    for (Example& example : examples) {
      example.complete = *rc::gen::arbitrary<bool>();
      nlohmann::json object = {{"chain", example.formulas}, {"complete", example.complete}};
      if (*rc::gen::arbitrary<bool>()) {
        example.positions.assign(example.formulas.size() - 1, "root");
        object["positions"] = example.positions;
      }
      if (example.formulas.size() == 1 && example.positions.empty()) {
        example.complete = false;
        example.all_places = *rc::gen::arbitrary<bool>();
        example.places = {{{0, 1, "x\"y"}, {1, example.formulas[0].size(), ""}}};
        RC_PRE((static_cast<unsigned char>(example.formulas[0][1]) & 0xc0U) != 0x80U);
        object = {{"formula", example.formulas[0]}, {"all", example.all_places}};
        for (const Place& place : example.places[0]) {
          object["steps"].push_back(
              {{"begin", place.begin}, {"end", place.end}, {"value", place.value}});
        }
      }
      text += object.dump() + "\n";
    }
    RC_ASSERT(parse_examples(text, "test").examples == examples);
  });
}

}  // namespace
}  // namespace nrs::examples

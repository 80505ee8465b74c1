// Reading examples in every form that people write them in.
#include "examples/examples.h"

#include <gtest/gtest.h>

#include "nrs/error.h"

namespace nrs::examples {
namespace {

ExampleFile parse(std::string_view text) {
  return parse_examples(text, "test");
}

using Formulas = std::vector<std::string>;

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Chains, MayHaveBothSeparatorsInDifferentLines) {
  const ExampleFile mixed = parse_examples("1+2+3 -> 3+3 -> 6\n2+2 = 4\n", "test");
  ASSERT_EQ(mixed.examples.size(), 2);
  EXPECT_EQ(mixed.examples[0].formulas, (std::vector<std::string>{"1+2+3", "3+3", "6"}));
  EXPECT_EQ(mixed.examples[1].formulas, (std::vector<std::string>{"2+2", "4"}));
  // Not where one of them is notation.
  const ExampleFile equations =
      parse_examples("x + 1 = 3 -> x = 2\na -> b\nb -> c\nx = 2\n", "test");
  EXPECT_EQ(equations.examples[3].formulas, (std::vector<std::string>{"x = 2"}));
}

TEST(Chains, AWrongAnswerToAValueMakesNoSteps) {
  std::string text = "T = T\nF = F\nT = F\nF = T\n";  // two of them are wrong
  for (int i = 0; i < 20; ++i) {
    const std::string ands(static_cast<std::size_t>(4 * i), '&');
    text += "F&T&(F" + ands + ") = F\nT|(F" + ands + ") = T\n";
  }
  EXPECT_EQ(parse(text).kind, Kind::kAnswer);
}

TEST(LineNumbers, AreLeftOutHoweverTheyAreWritten) {
  const auto numbered = [](std::string_view before, std::string_view behind) {
    std::string text = "# made by hand\n";
    int number = 9;
    for (const std::string line : {"1+(2*3) -> 1+6 -> 7", "5+4 -> 9", "9", "1+1 -> 2"}) {
      text.append(before) += std::to_string(number++);
      text.append(behind) += line + "\n\n";
    }
    return parse(text);
  };
  const std::vector<std::pair<std::string, std::string>> ways{{"", ". "}, {"", ") "},  {"", ": "},
                                                              {"#", " "}, {"(", ") "}, {"[", "]\t"},
                                                              {"", "\t"}, {"  ", ","}};
  for (const auto& [before, behind] : ways) {
    const ExampleFile file = numbered(before, behind);
    EXPECT_TRUE(file.numbered) << before << behind;
    ASSERT_EQ(file.examples.size(), 4u) << before << behind;
    EXPECT_EQ(file.examples[0].formulas, (Formulas{"1+(2*3)", "1+6", "7"})) << before << behind;
    EXPECT_EQ(file.examples[2].formulas, (Formulas{"9"})) << before << behind;
  }
}

TEST(LineNumbers, MayStandBeforeColumns) {
  const ExampleFile file = parse("0\t1+1\t2\n1\t1+2\t3\n2\t2+2\t4\n");
  EXPECT_TRUE(file.numbered);
  EXPECT_EQ(file.format, Format::kColumns);
  EXPECT_EQ(file.examples[1].formulas, (Formulas{"1+2", "3"}));
}

TEST(LineNumbers, AreFormulasWhereThereIsDoubt) {
  for (const std::string text : {
           "1. a -> b\n2. b -> c\n4. c -> d\n",  // one is missing
           "1. a -> b\nb -> c\n2. c -> d\n",
           "1. a -> b\n2. b -> c\n",  // too few to tell
           "1\t2\n2\t3\n3\t4\n",      // the number is the question
           "(1) -> 1\n(2) -> 2\n(3) -> 3\n",
           "1.5 -> b\n2.5 -> c\n3.5 -> d\n",
           "1 + 1 = 2\n2 + 1 = 3\n3 + 1 = 4\n",
           "(1)(a) = 2\n(2)(a) = 3\n(3)(a) = 4\n",
       }) {
    EXPECT_FALSE(parse(text).numbered) << text;
  }
}

TEST(LineNumbers, AreMissedWhereTheFormIsKnown) {
  std::string text;
  for (int i = 1; i <= 6000; ++i) text += std::to_string(i) + ") a -> b\n";
  const ExampleFile file = parse(text + "a -> b\n");
  EXPECT_EQ(file.examples.size(), 6000u);
  ASSERT_EQ(file.unread.size(), 1u);
  EXPECT_EQ(file.unread[0].line, 6001u);
}

TEST(Examples, ReadsChainsWithEveryArrow) {
  for (const std::string arrow : {" -> ", " => ", " → ", "->", "=>", "→", " = ", "=", "\t->\t"}) {
    const ExampleFile file = parse("((15+5)*(3-4))" + arrow + "(20*-1)" + arrow + "-20\n");
    ASSERT_EQ(file.examples.size(), 1u) << arrow;
    EXPECT_EQ(file.examples[0].formulas, (Formulas{"((15+5)*(3-4))", "(20*-1)", "-20"})) << arrow;
    EXPECT_EQ(file.kind, Kind::kSteps);
    EXPECT_EQ(file.format, Format::kChains);
    EXPECT_TRUE(file.examples[0].complete);
  }
}

TEST(Examples, KnowsWhatIsFinal) {
  const ExampleFile file =
      parse("g(a)\n\nf(a) -> g(a) -> ...\nf(f(a)) -> …\nf(a) -> g(a)\nf(a)\tb\n");
  ASSERT_EQ(file.examples.size(), 5u);
  EXPECT_EQ(file.examples[0].formulas, (Formulas{"g(a)"}));
  EXPECT_TRUE(file.examples[0].complete);
  EXPECT_EQ(file.examples[1].formulas, (Formulas{"f(a)", "g(a)"}));
  EXPECT_FALSE(file.examples[1].complete);
  EXPECT_EQ(file.examples[1].line, 3u);
  EXPECT_FALSE(file.examples[2].complete);
  EXPECT_TRUE(file.examples[3].complete);
  EXPECT_EQ(file.examples[4].formulas, (Formulas{"f(a)", "b"}));
  EXPECT_FALSE(file.examples[4].complete);
}

TEST(Examples, AnEqualsSignBetweenTwoMakesAnAnswer) {
  const ExampleFile pairs = parse("((1+2)*3) = 9\n(1+2) = 3\n4 = 4\n");
  EXPECT_EQ(pairs.kind, Kind::kAnswer);
  EXPECT_EQ(pairs.examples[0].formulas, (Formulas{"((1+2)*3)", "9"}));
  EXPECT_EQ(pairs.examples[0].kind, Kind::kAnswer);
  EXPECT_EQ(pairs.examples[2].formulas, (Formulas{"4"}));
  const ExampleFile chains = parse("((1+2)*3) = (3*3) = 9\n(1+2) = 3\n");
  EXPECT_EQ(chains.examples[1].kind, Kind::kSteps);
  EXPECT_TRUE(chains.examples[1].complete);
}

TEST(Examples, TheNotationMayHaveTheSeparators) {
  EXPECT_EQ(parse("(T->F) -> F\n(a->b)\n").examples[1].formulas, (Formulas{"(a->b)"}));
  EXPECT_EQ(parse("(T -> F) = F\n((T -> T) -> F) = F\nT = T\n").examples[1].formulas,
            (Formulas{"((T -> T) -> F)", "F"}));
  EXPECT_EQ(parse("x = 1+2 -> x = 3\ny = 1 -> y = 1\n").examples[0].formulas,
            (Formulas{"x = 1+2", "x = 3"}));
  EXPECT_EQ(parse("(1<=2)=T\n(1>=2)=F\n").examples[1].formulas, (Formulas{"(1>=2)", "F"}));
  EXPECT_EQ(parse("->(a,b) -> b\n").examples[0].formulas, (Formulas{"->(a,b)", "b"}));
  EXPECT_EQ(parse("( -> )\n[ -> ]\n").examples[0].formulas, (Formulas{"(", ")"}));
}

TEST(Examples, AFormulaMayBecomeEmpty) {
  const ExampleFile file = parse("aA ->\nbaA -> b\n");
  EXPECT_EQ(file.examples[0].formulas, (Formulas{"aA", ""}));
  EXPECT_TRUE(file.examples[0].complete);
}

TEST(Examples, PassesOverComments) {
  const ExampleFile file = parse("# from a book -> mine\n\nf(a) -> a\r\n#(1) -> 1\n# -> 0\n");
  ASSERT_EQ(file.examples.size(), 3u);
  EXPECT_EQ(file.examples[0].line, 3u);
  EXPECT_EQ(file.examples[2].formulas, (Formulas{"#", "0"}));
  EXPECT_EQ(parse("# 1 -> 1\n2 # 1 -> 3\n").examples.size(), 2u);
}

TEST(Examples, ReadsTables) {
  const ExampleFile file = parse(
      "\xef\xbb\xbfid,question,Answer\r\n1,\"f(a,b)\",b\r\n2,\"say \"\"x\"\"\", y "
      "\r\n\r\n3,z,\r\n");
  EXPECT_EQ(file.format, Format::kTable);
  EXPECT_EQ(file.kind, Kind::kAnswer);
  ASSERT_EQ(file.examples.size(), 3u);
  EXPECT_EQ(file.examples[0].formulas, (Formulas{"f(a,b)", "b"}));
  EXPECT_EQ(file.examples[1].formulas, (Formulas{"say \"x\"", "y"}));
  EXPECT_EQ(file.examples[1].line, 3u);
  EXPECT_EQ(file.examples[2].formulas, (Formulas{"z", ""}));
}

TEST(Examples, ATableOfStepsSaysWhatIsFinal) {
  const ExampleFile file = parse("formula,next\n((1+2)*3),(3*3)\n9,\n");
  EXPECT_EQ(file.kind, Kind::kSteps);
  EXPECT_EQ(file.examples[0].formulas, (Formulas{"((1+2)*3)", "(3*3)"}));
  EXPECT_FALSE(file.examples[0].complete);
  EXPECT_EQ(file.examples[1].formulas, (Formulas{"9"}));
  EXPECT_TRUE(file.examples[1].complete);
}

TEST(Examples, ReadsTheOfficialListOps) {
  const ExampleFile file =
      parse("Source\tTarget\n( ( [MAX 2 ) 9 ) ] )\t9\n( ( ( [MIN 4 ) 3 ) [SM 1 2 ] ) ] )\t3\n");
  EXPECT_EQ(file.kind, Kind::kAnswer);
  EXPECT_EQ(file.examples[0].formulas, (Formulas{"( ( [MAX 2 ) 9 ) ] )", "9"}));
}

TEST(Examples, TheAnswerMayStandInFront) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += std::to_string(i % 5) + "\t[MAX " + std::to_string(i) + " 1]\n";
  }
  const ExampleFile file = parse(text);
  EXPECT_EQ(file.format, Format::kColumns);
  EXPECT_EQ(file.examples[7].formulas, (Formulas{"[MAX 7 1]", "2"}));
}

TEST(Examples, DecidesByTheDataWhatTwoColumnsAre) {
  const ExampleFile chained = parse("((1+2)*3)\t(3*3)\n(3*3)\t9\n((1+1)*1)\t(2*1)\n(2*1)\t2\n");
  EXPECT_EQ(chained.kind, Kind::kSteps);
  EXPECT_FALSE(chained.examples[0].complete);
  const ExampleFile kept =
      parse("((1+2)*((3+4)-5))\t(3*((3+4)-5))\n((1+2)*((3+4)-6))\t((1+2)*(7-6))\n");
  EXPECT_EQ(kept.kind, Kind::kSteps);
  EXPECT_EQ(kept.why, "most of a formula stays as it is");
  const ExampleFile answers = parse("((1+2)*3)\t9\n(4*3)\t12\n((1+1)*1)\t2\n");
  EXPECT_EQ(answers.kind, Kind::kAnswer);
  EXPECT_TRUE(answers.examples[0].complete);
  ReadOptions steps;
  steps.kind = Kind::kSteps;
  EXPECT_EQ(parse_examples("((1+2)*3)\t9\n", "test", steps).kind, Kind::kSteps);
  EXPECT_EQ(parse_examples("question,answer\n1+2,3\n", "test", steps).kind, Kind::kSteps);
}

TEST(Examples, ALineMayBeOneStepOfMany) {
  std::string text = "((1+2)*3) -> (3*3)\n(3*3) -> 9\n";
  for (const char* nine : {"(1+8)", "(2+7)", "(4+5)", "(9+0)"})
    text += std::string(nine) + " -> 9\n";
  const ExampleFile file = parse(text);
  EXPECT_EQ(file.kind, Kind::kSteps);
  EXPECT_FALSE(file.examples[0].complete);
  // Five different formulas become 9, and nothing becomes of it.
  EXPECT_TRUE(file.examples[1].complete);
  // A line that says that it goes on is believed.
  EXPECT_FALSE(parse(text + "(0+9) -> 9 -> ...\n").examples.back().complete);
  // The same lines again say nothing new.
  std::string twice = "f(f(a)) -> f(b)\nf(b) -> c\n";
  for (int i = 0; i < 6; ++i) twice += "f(b) -> c\n";
  EXPECT_FALSE(parse(twice).examples[1].complete);
}

TEST(Examples, AnArrowMayLeadToAnAnswer) {
  EXPECT_EQ(parse("1+2 -> 3\n(((1+2)+3)+(4+5)) -> 15\n(1+(1+(1+(1+1)))) -> 5\n2+2 -> 4\n").kind,
            Kind::kAnswer);
  EXPECT_EQ(parse("(1+2) -> 3\n(1+1) -> 2\n").kind, Kind::kSteps);
}

TEST(Examples, ReadsEveryJsonForm) {
  const ExampleFile file =
      parse(R"json({"formula": "((1+2)*3)", "steps": [{"begin": 1, "end": 6, "value": "3"}]}
{"formula": "9", "final": true}
{"formula": "(3*3)", "next": "9"}
{"question": "(1+2)", "answer": "3", "id": 7}
{"input": "((1+2)+3)", "target": "6"}
{"terms": ["f(s(a))", "f(a)"], "positions": ["root"], "complete": false}
{"chain": ["a", "b", "c"]}
{"formula": "aA", "steps": [{"begin": 0, "end": 1, "value": ""}], "all": false}
)json");
  EXPECT_EQ(file.format, Format::kJsonLines);
  ASSERT_EQ(file.examples.size(), 8u);
  EXPECT_EQ(file.examples[0].places[0], (std::vector<Place>{{1, 6, "3"}}));
  EXPECT_TRUE(file.examples[0].all_places);
  EXPECT_FALSE(file.examples[0].complete);
  EXPECT_TRUE(file.examples[1].complete);
  EXPECT_EQ(file.examples[2].kind, Kind::kSteps);
  EXPECT_FALSE(file.examples[2].complete);
  EXPECT_EQ(file.examples[3].kind, Kind::kAnswer);
  EXPECT_EQ(file.examples[5].positions, (Formulas{"root"}));
  EXPECT_FALSE(file.examples[5].complete);
  EXPECT_EQ(file.examples[6].formulas, (Formulas{"a", "b", "c"}));
  EXPECT_FALSE(file.examples[7].all_places);
}

TEST(Examples, AFormulaMayBeginWithACurlyBracket) {
  const ExampleFile file = parse("{a,b}\njoin<{a},{b}> -> {a,b}\n{}\n");
  EXPECT_EQ(file.format, Format::kChains);
  EXPECT_EQ(file.examples[0].formulas, (Formulas{"{a,b}"}));
}

TEST(Examples, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(""), "test: there is no example in it");
  EXPECT_EQ(error_of("# only words\n\n"), "test: there is no example in it");
  EXPECT_EQ(error_of("a\nb\n"), "test:1: every line is one formula, and none is rewritten");
  EXPECT_EQ(error_of("f(a) -> -> a\n"), "test:1: a formula is missing");
  EXPECT_EQ(error_of("-> a\n"), "test:1: a formula is missing");
  EXPECT_EQ(error_of(std::string("a -> \0b\n", 8)),
            "test:1: there is a NUL byte, as in binary files");
  EXPECT_EQ(error_of("a -> \xff\n"), "test:1: column 6: byte 0xff, which is not UTF-8");
  EXPECT_EQ(error_of("\x1f\x8b\x08 -> b\n"), "test: this is a gzip file");
  EXPECT_EQ(error_of("question,answer\nf(a,b),c\n"), "test:2: 3 fields, but the header has 2");
  EXPECT_EQ(error_of("question,answer\n\"f(a\n"),
            "test:2: a quoted field does not end on its line");
  EXPECT_EQ(error_of("{\"formula\": \"a\"\n"), "test:1: this is not JSON");
  EXPECT_EQ(error_of("{\"formula\": \"a\"}\n"), "test:1: a formula without \"next\"");
  EXPECT_EQ(error_of("{\"a\": \"a\"}\n"), "test:1: there is no formula in it");
  EXPECT_EQ(error_of("{\"formula\": [[[[[[1]]]]]]}\n"), "test:1: nested too deeply");
  EXPECT_EQ(error_of("{\"formula\": \"a\\nb\", \"next\": \"c\"}\n"),
            "test:1: a formula has a line end or a NUL byte in it");
}

std::string error_of_step(const std::string& step) {
  return error_of("{\"formula\": \"(¬⊤)\", \"steps\": [" + step + "]}\n");
}

TEST(Examples, PlacesMustBePartsOfTheirFormula) {
  EXPECT_EQ(error_of_step(R"({"begin": 0, "end": 9, "value": "⊥"})"),
            "test:1: the span 0-9 lies outside of the formula, which has 7 bytes");
  EXPECT_EQ(error_of_step(R"({"begin": 0, "end": 4, "value": "⊥"})"),
            "test:1: the span 0-4 cuts a character");
  EXPECT_EQ(error_of_step(R"({"begin": 2, "end": 2, "value": "⊥"})"),
            "test:1: the span 2-2 is empty");
  EXPECT_EQ(error_of_step(R"({"begin": 0, "value": "⊥"})"),
            "test:1: 'end' is missing, or is not a number");
  EXPECT_EQ(error_of_step(
                R"({"begin": 0, "end": 3, "value": "⊥"}, {"begin": 1, "end": 3, "value": "⊥"})"),
            "test:1: the span 1-3 is out of order, or overlaps another one");
}

TEST(Examples, ListsFewUnreadableLines) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "(a+a) -> a\n";
  const ExampleFile file = parse(text + "-> b\nb ->\xff\n");
  EXPECT_EQ(file.examples.size(), 60u);
  ASSERT_EQ(file.unread.size(), 2u);
  EXPECT_EQ(
      file.unread[0],
      (BadLine{61,
               "a formula is missing (a chain is written on one line: t0 -> t1 -> ... -> tn)"}));
  EXPECT_EQ(error_of(text + "-> b\n-> c\n-> d\n-> e\n"), "test:61: a formula is missing");
}

TEST(Examples, ALineThatIsTooLongIsNotReadButTheOthersAre) {
  ReadOptions options;
  options.longest_line = 100;
  const std::string text = "a -> b\n" + std::string(1000, 'a') + " -> b\nc -> d\n";
  const ExampleFile file = parse_examples(text, "test", options);
  ASSERT_EQ(file.examples.size(), 2u);
  EXPECT_EQ(file.examples[1].line, 3u);
  EXPECT_EQ(file.unread[0].reason, "the line is longer than 100 bytes");
}

TEST(Examples, ASeparatorMayComeLate) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "b\n";
  const ExampleFile file = parse(text + "a -> b\n");
  ASSERT_EQ(file.examples.size(), 20'001u);
  EXPECT_EQ(file.examples.back().formulas, (Formulas{"a", "b"}));
}

}  // namespace
}  // namespace nrs::examples

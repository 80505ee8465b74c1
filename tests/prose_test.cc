// What a language model is asked, and what is taken for its answer.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "baseline/prose.h"
#include "nrs/domain.h"
#include "property.h"

namespace nrs {
namespace {

struct Reply {
  const char* formula;
  const char* reply;
  const char* answer;  // empty: none
};

void expect_answers(const char* domain, const std::vector<Reply>& replies) {
  for (const Reply& row : replies) {
    const auto answer = answer_in(find_domain(domain), row.reply, row.formula);
    EXPECT_EQ(answer.value_or(""), row.answer) << domain << ": " << row.reply;
  }
}

TEST(Prose, ArithmeticRepliesOfManyKinds) {
  expect_answers("arithmetic", {{"", "-48", "-48"},
                                {"", "The answer is 20.", "20"},
                                {"", "Final answer: **-48**", "-48"},
                                {"", "\\[ \\boxed{-48} \\] as 100 is the modulus", "-48"},
                                {"", "-448 modulo -100 is -48", "-48"},
                                {"", "-48 (mod 100)", "-48"},
                                {"", "-48 (modulus -100).", "-48"},
                                {"", "$-48 \\pmod{100}$", "-48"},
                                {"", "-448 % -100 = -48", "-48"},
                                {"", "It is \u221248", "-48"},
                                {"", "= - 48", "-48"},
                                {"", "- 48", "-48"},
                                {"", "(3-4)", "4"},
                                {"", "5 - 20", "20"},
                                {"", "5 -20", "20"},
                                {"", "so -20", "-20"},
                                {"", "Steps:\n- 20", "20"},
                                {"", "20.0", "20"},
                                {"", "20.50", "20.5"},
                                {"", "1,234", "1234"},
                                {"", "first 7, 8", "8"},
                                {"", "-0", "0"},
                                {"", "007", "7"},
                                {"", "**Answer:** `12`", "12"},
                                {"", "-448", "-448"},
                                {"", "I'm sorry, but I cannot help with that.", ""},
                                {"", "modulo 100", ""},
                                {"", "", ""}});
}

TEST(Prose, ListOpsRepliesOfManyKinds) {
  expect_answers("listops", {{"", "3", "3"},
                             {"", "[MIN [SM 5 4] [MIN 3 9]] = [MIN 9 3] = 3", "3"},
                             {"", "SM 9 8 = 17 modulo 10 = 7", "7"},
                             {"", "The result is 7 (sum modulo 10).", "7"},
                             {"", "12", "12"},  // not 2: that is not what it says
                             {"", "It depends on the list.", ""}});
}

TEST(Prose, AlgebraRepliesOfManyKinds) {
  expect_answers("algebra", {{"(+1*y+2*y)", "+17*y", "+17*y"},
                             {"(+1*y+2*y)", "The answer is 17y.", "+17*y"},
                             {"(+1*y+2*y)", "17 y", "+17*y"},
                             {"(+1*y+2*y)", "= -17\u00b7y modulo 100", "-17*y"},
                             {"(+1*y+2*y)", "$-17 \\cdot y$", "-17*y"},
                             {"(+1*y+2*y)", "66y - 43y = 23y", "+23*y"},
                             {"(+1*y+2*y)", "yes, y", "+y"},
                             {"(+1*y+2*y)", "-1*y", "-y"},
                             {"(+1*y+2*y)", "**-y**", "-y"},
                             {"(+1*y+2*y)", "- 17 y", "-17*y"},
                             {"(+1*y+2*y)", "the sum is 0", "+0*y"},
                             {"(+1*y+2*y)", "-0*y", "+0*y"},
                             {"(+1*y+2*y)", "117*y", "+117*y"},
                             {"(+1*y+2*y)", "17*y^2", "+17*y^"},
                             {"(+1*y+2*y)", "17*y, obtained by a sum", "+17*y"},
                             {"(+1*y+2*y)", "I know a way but not the result", ""},
                             {"(+1*y+2*y)", "17", ""},
                             {"(+1*y+2*y)", "66*y -43*y", "+43*y"},
                             {"(+1*y+2*y)", "it is -43*y", "-43*y"},
                             {"(+1*a*x+2*a*x)", "17 a x", "+17*a*x"},
                             {"(+1*a*x+2*a*x)", "17 a*x", "+17*a*x"},
                             {"(+1*a*x+2*a*x)", "17xa", "+17*a*x"},
                             {"(+1*a*x+2*a*x)", "17*x*a, a monomial.", "+17*a*x"},
                             {"(+1*b*y+2*b*y)", "by", "+b*y"},
                             {"(+1*b*y+2*b*y)", "Answer: by", "+b*y"},
                             {"(+1*b*y+2*b*y)", "17 b y", "+17*b*y"},
                             {"(+1*a*b*x*y+2*a*b*x*y)", "*17abxy*", "+17*a*b*x*y"}});
}

TEST(Prose, LogicRepliesOfManyKinds) {
  expect_answers("logic", {{"(a&z)", "True", "T"},
                           {"(a&z)", "The expression simplifies to **false**.", "F"},
                           {"(a&z)", "F", "F"},
                           {"(a&z)", "z", "z"},
                           {"(a&z)", "(z OR False) = z", "z"},
                           {"(a&z)", "True: it's a tautology", "T"},
                           {"(a&z)", "The answer is a.", "a"},
                           {"(a&z)", "Final answer: `a`", "a"},
                           {"(a&z)", "'z'", "z"},
                           {"(a&z)", "z is a variable", "z"},
                           {"(e&T)", "True, e.g. by absorption", "T"},
                           {"(a&z)", "q", ""},  // not in the formula
                           {"(i&T)", "I cannot say", ""},
                           {"(a&z)", "", ""}});
}

TEST(Prose, TheQuestionOfThePaper) {
  EXPECT_EQ(question_of(find_domain("listops"), "[MIN[SM54][MIN39]]"),
            "MIN, MAX, and SM are operators on lists of single-digit integers, representing "
            "minimum, maximum, and sum modulo 10, respectively. Solve the following expression "
            "using these operators: [MIN [SM 5 4] [MIN 3 9]].");
}

TEST(Prose, QuestionsHoldTheFormulaAsTheDomainReadsIt) {
  check_law("what follows the colon reads as the formula", [] {
    const AnyFormula any = any_formula();
    const std::string question = question_of(*any.domain, any.sample.formula);
    const std::size_t from = question.find(": ") + 2;
    const std::size_t to = question.find('.', from);
    RC_ASSERT(any.domain->read(question.substr(from, to - from)) == any.sample.formula);
  });
}

TEST(Prose, EveryValueIsFoundInASentence) {
  for (const Domain* domain : all_domains()) {
    std::size_t unlike = 0;
    domain->for_each_atom([&](std::string_view atom) {
      const std::string sentence = "Hence the answer is " + std::string(atom) + ".";
      unlike += answer_in(*domain, sentence, atom) != std::string(atom);
    });
    EXPECT_EQ(unlike, 0u) << domain->name();
  }
}

TEST(Prose, AnyTextIsReadInTimeThatGrowsWithItsLength) {
  check_law("nothing throws or runs away", [](const std::string& text) {
    for (const Domain* domain : all_domains()) answer_in(*domain, text, "(a&z)");
  });
  for (const char* piece :
       {" ", "-", "% ", "mod ", "0,000", "\\boxed{", "1 ", "x*", "a ", "x*x*2", "{"}) {
    std::string text;
    while (text.size() < 100000) text += piece;
    for (const Domain* domain : all_domains()) answer_in(*domain, text, "(a&z)");
  }
}

}  // namespace
}  // namespace nrs

// Reading worked examples.
#include <gtest/gtest.h>

#include "induce/chain.h"
#include "nrs/error.h"

namespace nrs::induce {
namespace {

std::string shown(const ChainFile& file, std::size_t chain) {
  std::string text;
  for (const term::Term term : file.chains[chain].terms) {
    text += (text.empty() ? "" : " ; ") + term::to_string(file.terms, term);
  }
  return text;
}

TEST(ChainReader, ReadsEveryArrow) {
  const ChainFile file = read_chains("f(a) -> a\nf(a) => a\nf(a) → a\nf(a)->a\n", "test");
  ASSERT_EQ(file.chains.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(shown(file, i), "f(a) ; a");
    EXPECT_TRUE(file.chains[i].complete);
    EXPECT_EQ(file.chains[i].line, i + 1);
  }
}

TEST(ChainReader, KnowsWhatIsANormalForm) {
  const ChainFile file = read_chains("g(a)\nf(a) -> g(a) -> ...\nf(a)\tg(a)\n", "test");
  ASSERT_EQ(file.chains.size(), 3u);
  EXPECT_TRUE(file.chains[0].complete);
  EXPECT_EQ(file.chains[0].terms.size(), 1u);
  EXPECT_FALSE(file.chains[1].complete);
  EXPECT_EQ(file.chains[1].terms.size(), 2u);
  EXPECT_FALSE(file.chains[2].complete);
}

TEST(ChainReader, PassesOverEmptyLinesAndComments) {
  const ChainFile file = read_chains("# from a book\n\nf(a) -> a\r\n#(1) -> 1\n# -> 0\n", "test");
  ASSERT_EQ(file.chains.size(), 3u);
  EXPECT_EQ(file.chains[0].line, 3u);
  EXPECT_EQ(shown(file, 1), "|#|(1) ; 1");
  EXPECT_EQ(shown(file, 2), "|#| ; 0");
}

TEST(ChainReader, ASymbolMayLookLikeAnArrowWhereArrowsStandApart) {
  const ChainFile file = read_chains("->(a,b) -> b\n", "test");
  EXPECT_EQ(file.terms.name(file.terms.symbol(file.chains[0].terms[0])), "->");
}

TEST(ChainReader, FindsTheNotation) {
  EXPECT_EQ(read_chains("(f a (g b)) -> (g b)\n(g b)\n", "test").notation, term::Notation::kSexpr);
  EXPECT_EQ(read_chains("((a+b)*c) -> (a*c)\n", "test").notation, term::Notation::kInfix);
  EXPECT_EQ(read_chains("+(a,b) -> a\n", "test").notation, term::Notation::kFunctional);
}

TEST(ChainReader, ReadsJsonWithPositions) {
  const ChainFile file = read_chains(
      R"json({"terms": ["f(s(a))", "f(a)"], "positions": ["root"]}
{"terms": ["g(f(s(a)),b)", "g(f(a),b)"], "positions": ["1"], "complete": false}
{"term": "f(s(a))", "next": "f(a)"}
{"term": "a", "final": true}
)json",
      "test");
  ASSERT_EQ(file.chains.size(), 4u);
  EXPECT_TRUE(file.chains[0].positions[0].empty());
  EXPECT_EQ(file.chains[1].positions[0], term::Position{0});
  EXPECT_FALSE(file.chains[1].complete);
  EXPECT_FALSE(file.chains[2].complete);
  EXPECT_TRUE(file.chains[3].complete);
}

std::string error_of(const std::string& text) {
  try {
    read_chains(text, "test");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(ChainReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("f(a -> a\n"), "test:1, column 4: expected ',' or ')', found the end");
  EXPECT_EQ(error_of("f(a) -> -> a\n"), "test:1: a formula is missing");
  EXPECT_EQ(error_of("{\"terms\": []}\n"), "test:1: a chain without terms");
  EXPECT_EQ(error_of("{\"terms\": [1]}\n"), "test:1: 'terms' has the wrong type");
  EXPECT_EQ(error_of("{\"term\": \"a\"}\n"), "test:1: a term without \"next\"");
  EXPECT_EQ(error_of("{\"terms\": [\"f(a)\", \"a\"], \"positions\": [\"0\"]}\n"),
            "test:1: \"0\" is not a position");
  EXPECT_EQ(error_of("{\"terms\": [\"f(b,a)\", \"f(a,b)\"], \"positions\": [\"1\"]}\n"),
            "test:1: step 1 is not a rewrite at position 1");
  EXPECT_EQ(error_of("\n"), "test: there is no example in it");
}

TEST(ChainReader, ListsFewUnreadableLines) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "f(a) -> a\n";
  const ChainFile file = read_chains(text + "f(a -> a\n", "test");
  EXPECT_EQ(file.chains.size(), 30u);
  ASSERT_EQ(file.unread.size(), 1u);
  EXPECT_EQ(file.unread[0].line, 31u);
}

TEST(ChainReader, ReadsDeepTerms) {
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "s(";
  deep += "0" + std::string(200'000, ')');
  const ChainFile file = read_chains("f(" + deep + ") -> " + deep + "\n", "test");
  EXPECT_EQ(file.terms.depth(file.chains[0].terms[0]), 200'002u);
}

}  // namespace
}  // namespace nrs::induce

// The tokenizer: laws of splitting, the paper's token rules, and refusals.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.h"
#include "model/networks.h"
#include "model/tokenizer.h"
#include "nrs/error.h"

namespace nrs {
namespace {

std::vector<std::string> split(const std::vector<std::string>& rules, std::string_view text) {
  std::vector<std::string> tokens;
  for (const Span& span : model::TokenRules(rules).split(text)) tokens.emplace_back(span.of(text));
  return tokens;
}
using Tokens = std::vector<std::string>;

TEST(TokenRules, WithoutRulesEveryCharacterIsAToken) {
  EXPECT_EQ(split({}, "(1+20)"), (Tokens{"(", "1", "+", "2", "0", ")"}));
  EXPECT_EQ(split({}, "aé∧\xff"), (Tokens{"a", "é", "∧", "\xff"}));
  EXPECT_EQ(split({}, ""), Tokens{});
}

TEST(TokenRules, ReproduceThePapersTokens) {
  EXPECT_EQ(split({"MIN", "MAX", "SM"}, "[MAX1[SM23]]"),
            (Tokens{"[", "MAX", "1", "[", "SM", "2", "3", "]", "]"}));
  EXPECT_EQ(split({"[0-9]+"}, "(12-(-3*40))"),
            (Tokens{"(", "12", "-", "(", "-", "3", "*", "40", ")", ")"}));
  const std::vector<std::string> algebra{"[0-9]+[*][abxy*]+", "[abxy][abxy*]*", "[0-9]+"};
  EXPECT_EQ(split(algebra, "(+12*a*x-(a*x+0))"),
            (Tokens{"(", "+", "12*a*x", "-", "(", "a*x", "+", "0", ")", ")"}));
}

TEST(TokenRules, ARuleCanBeBoundToTextsWithSomeCharacter) {
  const std::vector<std::string> rules{"{[}[0-9]", "[0-9]+"};
  EXPECT_EQ(split(rules, "[MAX10]"), (Tokens{"[", "M", "A", "X", "1", "0", "]"}));
  EXPECT_EQ(split(rules, "(10+3)"), (Tokens{"(", "10", "+", "3", ")"}));
}

TEST(TokenRules, MatchesAreTheTokensOfRules) {
  const model::TokenRules rules({"[[][A-Z]+[0-9]+[]]"});
  EXPECT_EQ(rules.matches("[MIN[MAX12][SM34]5]"), (std::vector<Span>{{4, 11}, {11, 17}}));
  EXPECT_TRUE(rules.matches("[MIN[MAX12").empty());
  EXPECT_TRUE(model::TokenRules().matches("[MAX12]").empty());
}

TEST(TokenRules, ClassesTakeRangesAndTheirOwnBracket) {
  EXPECT_EQ(split({"[]a-c-]+"}, "]a-cd"), (Tokens{"]a-c", "d"}));
  EXPECT_EQ(split({"ab?c"}, "acabcab"), (Tokens{"ac", "abc", "a", "b"}));
}

TEST(TokenRules, RefuseWhatCannotBeRead) {
  for (const char* rule : {"", "[", "[a", "{a}", "a*", "[b-a]", "+", "a**", "{"}) {
    EXPECT_THROW(model::TokenRules({rule}), Error) << rule;
  }
}

TEST(TokenRules, SpansCoverAnyText) {
  const model::TokenRules rules({"{(}[0-9]+[*]", "[0-9]+", "MAX"});
  Rng rng(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = rng.between(0, 30); i > 0; --i) text += "MAX019*(\xc3\xa9\xe2"[rng.below(12)];
    std::size_t end = 0;
    for (const Span& span : rules.split(text)) {
      ASSERT_EQ(span.begin, end);
      ASSERT_GT(span.end, span.begin);
      end = span.end;
    }
    ASSERT_EQ(end, text.size());
  }
}

model::Tokenizer tokenizer(model::Specials specials) {
  model::VocabularyBuilder builder{model::TokenRules({"[0-9]+"})};
  for (const char* text : {"(12+7)", "-12", "(7-3)"}) builder.add(text);
  return builder.build(specials);
}

TEST(Tokenizer, CountsItsSpecialIds) {
  // ( ) + - 12 3 7
  EXPECT_EQ(tokenizer(model::Specials::kInput).size(), 7 + 1);
  EXPECT_EQ(tokenizer(model::Specials::kOutput).size(), 7 + 4);
}

TEST(Tokenizer, DecodingAnEncodedValueGivesItBack) {
  const model::Tokenizer t = tokenizer(model::Specials::kOutput);
  for (const nn::Direction direction : {nn::Direction::kLeftToRight, nn::Direction::kRightToLeft}) {
    std::vector<std::int32_t> ids = t.encode_value("-12+7", direction);
    EXPECT_EQ(ids.back(), model::kEndId);
    ids.pop_back();
    EXPECT_EQ(t.decode(ids, direction), "-12+7");
  }
  EXPECT_NE(t.encode_value("-12", nn::Direction::kLeftToRight),
            t.encode_value("-12", nn::Direction::kRightToLeft));
  EXPECT_THROW(t.decode(std::vector<std::int32_t>{model::kEndId}, nn::Direction::kLeftToRight),
               Error);
  EXPECT_THROW(t.decode(std::vector<std::int32_t>{t.size()}, nn::Direction::kLeftToRight), Error);
}

TEST(Tokenizer, AnUnknownTokenIsAnErrorAtItsColumn) {
  try {
    tokenizer(model::Specials::kInput).encode("(7+13)");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.offset(), 3U);
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
  }
}

TEST(Tokenizer, RefusesTokensThatAreEmptyOrThereTwice) {
  EXPECT_THROW(model::Tokenizer({}, {"a", ""}, model::Specials::kInput), Error);
  EXPECT_THROW(model::Tokenizer({}, {"a", "b", "a"}, model::Specials::kInput), Error);
}

TEST(Tokenizer, DigitPlacesCountFromTheRightEndOfANumber) {
  const std::string_view text = "(-105+7)";
  model::VocabularyBuilder builder{model::TokenRules()};
  builder.add(text);
  EXPECT_EQ(builder.build(model::Specials::kInput).encode(text).places,
            (std::vector<std::int32_t>{0, 0, 3, 2, 1, 0, 1, 0}));
}

TEST(Config, RefusesFieldsThatDoNotFitTogether) {
  EXPECT_NO_THROW(model::check(nn::SelectorConfig{}));
  EXPECT_NO_THROW(model::check(nn::SolverConfig{}));
  EXPECT_THROW(model::check(nn::EncoderConfig{.dim = 30, .heads = 4}, "x"), Error);
  EXPECT_THROW(model::check(nn::EncoderConfig{.layers = 2, .dilations = {1}}, "x"), Error);
  EXPECT_THROW(model::check(nn::EncoderConfig{.relative_slots = true}, "x"), Error);
  EXPECT_THROW(
      model::check(nn::EncoderConfig{.dim = 5, .heads = 1, .positions = nn::Positions::kLabel},
                   "x"),
      Error);
  const std::vector<std::string> leaves{"[0-9]+"};
  EXPECT_NO_THROW(
      model::check(nn::SelectorConfig{.marks = nn::Marks::kInside, .leaf_rules = leaves}));
  EXPECT_THROW(model::check(nn::SelectorConfig{.leaf_rules = leaves}), Error);
  EXPECT_THROW(
      model::check(nn::SelectorConfig{.marks = nn::Marks::kInside, .leaf_rules = {"[0-9"}}), Error);
  EXPECT_THROW(model::check(nn::SolverConfig{.decoder = {.positions = nn::Positions::kLabel}}),
               Error);
}

TEST(Config, ReceptiveRadiusIsTheSumOfTheSteps) {
  EXPECT_EQ(nn::receptive_radius(nn::SelectorConfig{}.encoder), 32);
  EXPECT_EQ(nn::receptive_radius(nn::EncoderConfig{.layers = 2, .dilations = {1, 3}, .window = 2}),
            8);
  EXPECT_EQ(nn::receptive_radius(nn::EncoderConfig{}), std::nullopt);
}

TEST(Config, EnumNamesAreInvertible) {
  for (const auto& [value, name] : enum_names(nn::Positions{})) {
    EXPECT_EQ(enum_name(value), name);
    EXPECT_EQ(enum_value<nn::Positions>(name), value);
  }
  EXPECT_EQ(enum_value<nn::Norm>("sideways"), std::nullopt);
}

// What a model reads is what it was trained with; only unknown tokens differ, which are no error.
TEST(Tokenizer, ReadsAsItEncodes) {
  const std::string text = "(12+345)*7";
  for (const std::vector<std::string>& rules :
       {std::vector<std::string>{}, std::vector<std::string>{"[0-9][0-9]"}}) {
    model::VocabularyBuilder builder{model::TokenRules(rules)};
    builder.add(text);
    const model::Tokenizer tokenizer = builder.build(model::Specials::kInput);
    EXPECT_EQ(tokenizer.by_byte(), rules.empty());
    const model::Tokens encoded = tokenizer.encode(text);
    model::Tokens tokens;
    tokenizer.read(text, /*places=*/true, tokens);
    EXPECT_EQ(tokens.ids, encoded.ids);
    EXPECT_EQ(tokens.places, encoded.places);
    for (std::size_t i = 0; i < encoded.spans.size(); ++i) {
      EXPECT_EQ(tokens.span(i), encoded.spans[i]);
    }
    tokenizer.read("(?)", /*places=*/false, tokens);
    EXPECT_EQ(tokens.ids,
              (std::vector<std::int32_t>{tokenizer.id("("), nn::kPadId, tokenizer.id(")")}));
  }
}

// The same cut as in messages: what is no well-formed character is single bytes.
TEST(TokenRules, MalformedCharactersAreSingleBytes) {
  const model::TokenRules characters;
  EXPECT_EQ(characters.split("\xE2\x86\x92").size(), 1U);  // an arrow
  for (const char* text : {"\xE0\x80\x80", "\xED\xA0\x80", "\xC0\x80"}) {
    EXPECT_EQ(characters.split(text).size(), std::string_view(text).size());
  }
  EXPECT_EQ(characters.split("\xF4\x90\x80\x80").size(), 4U);
}

}  // namespace
}  // namespace nrs

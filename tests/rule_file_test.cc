// Rule files of every format: what they mean, and what is said of bad ones.
#include "term/rule_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "term/position.h"
#include "term/write_rules.h"

namespace nrs::term {
namespace {

RuleSet read(RuleFormat format, std::string_view text) {
  return read_rules(text, format, "r");
}

std::vector<std::string> rules_of(const RuleSet& set) {
  std::vector<std::string> texts;
  for (const Rule& rule : set.rules) texts.push_back(to_string(set.terms, rule));
  return texts;
}

std::string fault(RuleFormat format, std::string_view text) {
  try {
    read(format, text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// A term of another store.
Term read_into(RuleSet& set, const Terms& terms, Term term) {
  std::unordered_map<Term, Term> copies;
  std::vector<Term> args;
  for (const Term part : distinct_subterms(terms, term)) {
    args.clear();
    for (const Term arg : terms.args(part)) args.push_back(copies.at(arg));
    const std::string& name = terms.name(terms.symbol(part));
    copies[part] = terms.is_variable(part)
                       ? set.terms.variable(name)
                       : set.terms.make(set.terms.symbol(name, args.size()), args);
  }
  return copies.at(term);
}

const std::vector<std::string> kPlus{"plus(0,y) -> y", "plus(s(x),y) -> s(plus(x,y))"};

TEST(RuleFile, TheSameRulesInFourFormats) {
  EXPECT_EQ(rules_of(read(RuleFormat::kText, R"(# addition
variables x y
plus(0,y) -> y     # a comment
plus(s(x),y)=>s(plus(x,y))
)")),
            kPlus);
  EXPECT_EQ(rules_of(read(RuleFormat::kAri, R"(; addition
(format TRS)
(fun plus 2) (fun s 1) (fun |0| 0)
(rule (plus 0 y) y)
(rule (plus (s x) y) (s (plus x y))))")),
            kPlus);
  EXPECT_EQ(rules_of(read(RuleFormat::kTrs, R"((VAR x y)
(RULES plus(0,y) -> y plus(s(x),y) -> s(plus(x,y)))
(COMMENT anything ( at | all )))")),
            kPlus);
  const RuleSet rec = read(RuleFormat::kRec, R"(REC-SPEC Plus
SORTS Nat
CONS 0 : -> Nat s : Nat -> Nat
OPNS plus : Nat Nat -> Nat
VARS x y : Nat
RULES
  plus (0, y) -> y
  plus (s (x), y) = s (plus (x, y))
EVAL plus(s(0),0) s(0)
END-SPEC)");
  EXPECT_EQ(rules_of(rec), kPlus);
  EXPECT_EQ(rec.evals.size(), 2u);
  EXPECT_EQ(rec.sorts, std::vector<std::string>{"Nat"});
}

TEST(RuleFile, ManySortedAri) {
  const RuleSet set = read(RuleFormat::kAri, R"((format MSTRS)
(sort Nat) (sort List)
(fun nil List) (fun cons (-> Nat List List)) (fun len (-> List Nat)) (fun 0 Nat) (fun s (-> Nat Nat))
(rule (len nil) 0)
(rule (len (cons x y)) (s (len y))))");
  EXPECT_EQ(rules_of(set).back(), "len(cons(x,y)) -> s(len(y))");
  EXPECT_EQ(set.sorts.size(), 2u);
}

TEST(RuleFile, TextInOtherNotations) {
  const RuleSet egg = read(RuleFormat::kText, "(+ ?x 0) => ?x\n(* ?x 1) = ?x\n");
  EXPECT_EQ(rules_of(egg), (std::vector<std::string>{"+(?x,0) -> ?x", "*(?x,1) -> ?x"}));
  EXPECT_EQ(egg.notation, Notation::kSexpr);
  const RuleSet infix = read(RuleFormat::kText, R"(notation infix
variables x y
x*(y+1) -> x*y+x
-(-x) → x
x-x -> 0 if x = x and x <> 1
)");
  EXPECT_EQ(rules_of(infix), (std::vector<std::string>{"*(x,+(y,1)) -> +(*(x,y),x)", "-(-(x)) -> x",
                                                       "-(x,x) -> 0 if x = x and x <> 1"}));
  EXPECT_EQ(infix.signature.size(), 6u);  // 1 0 * + - (unary and binary), but not '='
}

TEST(RuleFile, Conditions) {
  const RuleSet set = read(RuleFormat::kText, R"(variables x y
max(x,y) -> x if lt(x,y) = false and x <> 0
)");
  ASSERT_EQ(set.rules.size(), 1u);
  ASSERT_EQ(set.rules[0].conditions.size(), 2u);
  EXPECT_TRUE(set.rules[0].conditions[0].equal);
  EXPECT_FALSE(set.rules[0].conditions[1].equal);
  EXPECT_EQ(set.rules[0].line, 2u);
}

TEST(RuleFile, FaultsOfText) {
  EXPECT_EQ(fault(RuleFormat::kText, "f(?x) -> ?y"),
            "r:1:10: the variable ?y of the right side does not occur on the left side");
  EXPECT_EQ(fault(RuleFormat::kText, "variables x\nx -> a"),
            "r:2:1: the left side is a variable: x");
  EXPECT_EQ(fault(RuleFormat::kText, "f(a) -> f(a,a)"),
            "r:1:9: f has 2 arguments here, but its arity is 1");
  EXPECT_EQ(fault(RuleFormat::kText, "variables x x"),
            "r:1:13: the variable \"x\" is declared twice");
  EXPECT_EQ(fault(RuleFormat::kText, "f(x) - > x"), "r:1:6: expected '->', found \"-\"");
  EXPECT_EQ(fault(RuleFormat::kText, "f(x) -> x y"),
            "r:1:11: expected the end of the line, found \"y\"");
  EXPECT_EQ(fault(RuleFormat::kText, "notation polish"), "r:1:10: unknown notation \"polish\"");
  EXPECT_EQ(fault(RuleFormat::kText, "f(?x) -> a if ?y = a"),
            "r:1:15: the variable ?y of the condition does not occur on the left side");
  EXPECT_EQ(fault(RuleFormat::kText, "a -> b if c"), "r:1:12: expected '=' or '<>', found the end");
  EXPECT_EQ(fault(RuleFormat::kText, "variables x\nx(a) -> b"),
            "r:2:1: the variable \"x\" has arguments");
  EXPECT_EQ(fault(RuleFormat::kText, "a -> b\nvariables a"),
            "r:2:11: \"a\" was a function symbol before");
}

TEST(RuleFile, FaultsOfAri) {
  EXPECT_EQ(fault(RuleFormat::kAri, ""), "r:1:1: expected (format TRS), found the end");
  EXPECT_EQ(fault(RuleFormat::kAri, "(format CTRS)"), "r:1:9: cannot read the format \"CTRS\"");
  EXPECT_EQ(fault(RuleFormat::kAri, "(format TRS)\n(fun f 1)\n(fun f 2)"),
            "r:3:6: the symbol f is declared twice");
  EXPECT_EQ(fault(RuleFormat::kAri, "(format TRS)\n(fun f x)"),
            "r:2:8: expected an arity, found \"x\"");
  EXPECT_EQ(fault(RuleFormat::kAri, "(format TRS)(rule (f x) x)"),
            "r:1:20: the symbol \"f\" is not declared");
  EXPECT_EQ(fault(RuleFormat::kAri, "(format TRS)(fun f 1)(rule (f x x) x)"),
            "r:1:29: f has 2 arguments here, but its arity is 1");
  EXPECT_EQ(fault(RuleFormat::kAri, "(format TRS)(fun f 1)(rule (f x) y)"),
            "r:1:34: the variable y of the right side does not occur on the left side");
  EXPECT_EQ(fault(RuleFormat::kAri, "(format TRS)(fun f 1)(rule (f x) x"),
            "r:1:35: expected ')', found the end");
  EXPECT_EQ(fault(RuleFormat::kAri, "(format MSTRS)(sort A)(fun f (-> A B))"),
            "r:1:36: unknown sort \"B\"");
  EXPECT_EQ(fault(RuleFormat::kAri,
                  "(format MSTRS)(sort A)(sort B)(fun a A)(fun f (-> B B))(rule (f a) a)"),
            "r:1:65: argument 1 of f is of sort B, but a is of sort A");
}

TEST(RuleFile, FaultsOfTrs) {
  EXPECT_EQ(fault(RuleFormat::kTrs, "(VAR x)"), "r:1:8: there is no (RULES ...) section");
  EXPECT_EQ(fault(RuleFormat::kTrs, "(VAR x x)"), "r:1:8: the variable \"x\" is declared twice");
  EXPECT_EQ(fault(RuleFormat::kTrs, "(RULES f(a) -> a"), "r:1:17: expected a term, found the end");
  EXPECT_EQ(fault(RuleFormat::kTrs, "(RULES a ->= b)"),
            "r:1:10: relative rules, ->=, cannot be read");
  EXPECT_EQ(fault(RuleFormat::kTrs, "(COMMENT (never closed)"),
            "r:1:2: the bracket before \"COMMENT\" is never closed");
  EXPECT_EQ(fault(RuleFormat::kTrs, "(THEORY (AC plus))"), "r:1:2: unknown section \"THEORY\"");
}

TEST(RuleFile, FaultsOfRec) {
  const auto spec = [](std::string_view rules) {
    return fault(RuleFormat::kRec,
                 "REC-SPEC X SORTS A B CONS a : -> A b : -> B OPNS f : A -> A "
                 "VARS x : A y : B RULES\n" +
                     std::string(rules) + " END-SPEC");
  };
  EXPECT_EQ(spec("f(x) -> x"), "no error");
  EXPECT_EQ(spec("f(b) -> a"), "r:2:3: argument 1 of f is of sort A, but b is of sort B");
  EXPECT_EQ(spec("f(y) -> a"), "r:2:3: argument 1 of f is of sort A, but y is of sort B");
  EXPECT_EQ(spec("f(a) -> b"), "r:2:9: the left side is of sort A, but b is of sort B");
  EXPECT_EQ(spec("a -> a"), "r:2:1: a rule for the constructor a");
  EXPECT_EQ(spec("x -> a"), "r:2:1: the left side is a variable: x");
  EXPECT_EQ(spec("f(x) -> z"), "r:2:9: unknown symbol \"z\"");
  EXPECT_EQ(spec("f(x) -> x if x"), "r:2:16: expected '=' or '<>', found \"END-SPEC\"");
  EXPECT_EQ(spec("f(x) -> x EVAL f(x)"), "r:2:16: a variable in a term to evaluate");
  EXPECT_EQ(fault(RuleFormat::kRec, "REC-SPEC X : Y SORTS"),
            "r:1:14: includes cannot be read here");
  EXPECT_EQ(fault(RuleFormat::kRec, "REC-SPEC X OPNS"), "r:1:12: expected SORTS, found \"OPNS\"");
  EXPECT_EQ(fault(RuleFormat::kRec, "REC-SPEC X SORTS A CONS a : -> C"),
            "r:1:32: unknown sort \"C\"");
}

TEST(RuleFile, TermsForRules) {
  RuleSet set = read(RuleFormat::kText, "f(?x) -> ?x");
  EXPECT_EQ(to_string(set.terms, read_term(set, "f(f(new))")), "f(f(new))");
  EXPECT_THROW(read_term(set, "f(a,b)"), Error);
  RuleSet sorted = read(RuleFormat::kRec,
                        "REC-SPEC X SORTS A B CONS a : -> A b : -> B OPNS "
                        "f : A -> A VARS RULES END-SPEC");
  EXPECT_NO_THROW(read_term(sorted, "f(a)"));
  EXPECT_THROW(read_term(sorted, "f(b)"), Error);
  EXPECT_THROW(read_term(sorted, "f(new)"), Error);
}

// What is written and read again has the same rules, up to the names of variables.
void expect_round_trip(RuleSet set, RuleFormat format) {
  const std::string text = write_rules(set, format);
  RuleSet again = read(format, text);
  ASSERT_EQ(again.rules.size(), set.rules.size()) << text;
  if (format == RuleFormat::kRec) {  // symbols may have other names there
    again.name = set.name;
    EXPECT_EQ(write_rules(again, format), text);
    return;
  }
  for (std::size_t i = 0; i < set.rules.size(); ++i) {
    std::string one = to_string(again.terms, again.rules[i]);
    const auto reread = [&](const Rule& rule, const Terms& terms) {
      Rule copy{read_into(set, terms, rule.left), read_into(set, terms, rule.right)};
      for (const Condition& c : rule.conditions) {
        copy.conditions.push_back(
            {read_into(set, terms, c.left), read_into(set, terms, c.right), c.equal});
      }
      return copy;
    };
    EXPECT_TRUE(same_up_to_renaming(set.terms, reread(again.rules[i], again.terms), set.rules[i]))
        << one;
  }
}

TEST(WriteRules, RoundTrips) {
  const RuleSet plain = read(RuleFormat::kText, R"(variables x y
plus(0,y) -> y
|a b|(x,-) -> |?q|(x)
+(x,:(y,x)) -> |->|(y)
)");
  for (const RuleFormat format :
       {RuleFormat::kText, RuleFormat::kAri, RuleFormat::kTrs, RuleFormat::kRec}) {
    SCOPED_TRACE(enum_name(format));
    expect_round_trip(plain, format);
  }
  const RuleSet conditional =
      read(RuleFormat::kText, "variables x y\nmax(x,y) -> x if lt(x,y) = false and x <> 0\n");
  expect_round_trip(conditional, RuleFormat::kText);
  expect_round_trip(conditional, RuleFormat::kRec);
  EXPECT_THROW(write_rules(conditional, RuleFormat::kAri), Error);
  EXPECT_THROW(write_rules(conditional, RuleFormat::kTrs), Error);
  const RuleSet infix = read(RuleFormat::kText, "notation infix\n?x*(?y+1) -> ?x*?y+ ?x\n");
  expect_round_trip(infix, RuleFormat::kText);
}

TEST(WriteRules, AVariableWithTheNameOfASymbolIsRenamed) {
  RuleSet set;
  const Symbol f = set.terms.symbol("f", 2);
  const Term constant = set.terms.constant("x");
  set.signature = {f, set.terms.symbol("x", 0)};
  set.rules.push_back({set.terms.make(f, {set.terms.variable("x"), constant}), constant});
  for (const RuleFormat format :
       {RuleFormat::kText, RuleFormat::kAri, RuleFormat::kTrs, RuleFormat::kRec}) {
    const RuleSet again = read(format, write_rules(set, format));
    ASSERT_EQ(again.rules.size(), 1u);
    EXPECT_EQ(variables_of(again.terms, again.rules[0].left).size(), 1u);
    EXPECT_TRUE(again.terms.ground(again.rules[0].right));
  }
}

TEST(WriteRules, Maude) {
  const RuleSet set = read(RuleFormat::kText, "variables x\nf_1(true,x) -> x if x <> 0\n");
  EXPECT_EQ(write_maude(set), R"(fmod r is
  sorts S1 S2 .
  op truev2 : -> S1 [ctor] .
  op fu1 : S1 S2 -> S2 .
  op n0 : -> S2 [ctor] .
  vars x : S2 .
  ceq fu1(truev2,x) = x if x =/= n0 .
endfm
)");
}

// The public systems, where they are at hand.
TEST(RuleFile, PublicSystems) {
  const std::filesystem::path folder = std::filesystem::path(NRS_ROOT) / "../shared/trs";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no public systems at " << folder;
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "nat.rec") continue;
    const RuleSet set = read_rule_file(entry.path());
    EXPECT_FALSE(set.signature.empty()) << entry.path();
    SCOPED_TRACE(entry.path());
    expect_round_trip(set, RuleFormat::kText);
    expect_round_trip(set, RuleFormat::kRec);
    if (entry.path().extension() == ".ari") {
      expect_round_trip(set, RuleFormat::kAri);
      expect_round_trip(set, RuleFormat::kTrs);
    }
    ++read;
  }
  EXPECT_EQ(read, 108u);
  EXPECT_THROW(read_rule_file(folder / "rec/nat.rec"), Error);  // the file leaves its include out
}

}  // namespace
}  // namespace nrs::term

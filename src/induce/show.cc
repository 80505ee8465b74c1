#include "induce/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "term/rule.h"

namespace nrs::induce {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kLinesShown = 5;
constexpr std::size_t kSuspiciousShown = 50;
constexpr std::size_t kQuestionShown = 200;

std::string rule_text(const ChainFile& file, const Pair& rule) {
  return term::to_string(file.terms, term::Rule{rule.left, rule.right}, file.notation);
}

std::string header(const ChainFile& file) {
  if (file.notation == term::Notation::kFunctional) return "";
  return fmt::format("notation {}\n", enum_name(file.notation));
}

std::string counted(std::uint64_t count, std::string_view word) {
  const std::string_view ending = count == 1 ? "" : word.ends_with('x') ? "es" : "s";
  return fmt::format("{} {}{}", count, word, ending);
}

std::string lines_text(const std::vector<std::uint32_t>& lines) {
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < std::min(lines.size(), kLinesShown); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
  }
  if (lines.size() > kLinesShown) text += fmt::format(" and {} more", lines.size() - kLinesShown);
  return text;
}

// Lines that could not be read, and lines that do not follow the rules, in order.
std::vector<BadLine> bad_lines(const ChainFile& file, const Learned& learned) {
  std::vector<BadLine> bad = file.unread;
  bad.insert(bad.end(), learned.suspicious.begin(), learned.suspicious.end());
  std::sort(bad.begin(), bad.end(),
            [](const BadLine& a, const BadLine& b) { return a.line < b.line; });
  return bad;
}

}  // namespace

std::string strategy_name(Strategy strategy) {
  switch (strategy) {
    case Strategy::kLeftInnermost:
      return "leftmost-innermost";
    case Strategy::kInnermost:
      return "innermost";
    default:
      return "any order";
  }
}

namespace {

std::string support_text(const LearnedRule& rule) {
  return fmt::format("{}, {}, {}", counted(rule.steps, "step"), counted(rule.redexes, "redex"),
                     lines_text(rule.lines));
}

std::string number_rules_text(const ChainFile& file, const std::vector<LearnedNumberRule>& rules) {
  std::string text;
  for (const LearnedNumberRule& rule : rules) {
    text += fmt::format("# {}: {}  # {}\n", rule.answers.empty() ? "for numbers" : "computed",
                        term::to_string(file.terms, rule.rule, file.notation),
                        support_text(rule.support));
  }
  return text;
}

// Both sides and what speaks for them; `right` may be a list.
OrderedJson rule_json(const ChainFile& file, Term left, OrderedJson right,
                      const LearnedRule& rule) {
  OrderedJson object = {{"left", term::to_string(file.terms, left, file.notation)},
                        {"right", std::move(right)},
                        {"steps", rule.steps},
                        {"redexes", rule.redexes},
                        {"lines", rule.lines},
                        {"guess", rule.guess}};
  if (rule.question) {
    object["question"] = term::to_string(file.terms, *rule.question, file.notation);
  }
  return object;
}

}  // namespace

std::string to_text(const ChainFile& file, const Learned& learned,
                    const std::vector<LearnedNumberRule>& number_rules) {
  std::string text =
      fmt::format("# {} from {} with {} ({})\n{}", counted(learned.rules.size(), "rule"),
                  counted(file.chains.size(), "chain"), counted(learned.steps, "step"),
                  strategy_name(learned.strategy), header(file));
  std::vector<std::string> rules;
  std::size_t width = 0;
  for (const LearnedRule& rule : learned.rules) {
    rules.push_back(rule_text(file, rule.rule));
    width = std::max(width, std::min<std::size_t>(rules.back().size(), 60));
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const LearnedRule& rule = learned.rules[i];
    text += fmt::format("{:<{}}  # {}\n", rules[i], width, support_text(rule));
    if (!rule.guess) continue;
    text += "#   a guess";
    if (rule.question) {
      text += ": show me what becomes of " +
              excerpt(term::to_string(file.terms, *rule.question, file.notation), kQuestionShown);
    }
    text += "\n";
  }
  text += number_rules_text(file, number_rules);
  const std::vector<BadLine> bad = bad_lines(file, learned);
  if (!bad.empty())
    text += bad.size() == 1
                ? "# 1 suspicious line; nothing was learned from it\n"
                : fmt::format("# {} suspicious lines; nothing was learned from them\n", bad.size());
  for (std::size_t i = 0; i < std::min(bad.size(), kSuspiciousShown); ++i) {
    text += fmt::format("#   line {}: {}\n", bad[i].line, bad[i].reason);
  }
  if (bad.size() > kSuspiciousShown) text += "#   ...\n";
  return text;
}

std::string to_json(const ChainFile& file, const Learned& learned,
                    const std::vector<LearnedNumberRule>& number_rules) {
  OrderedJson rules = OrderedJson::array();
  for (const LearnedRule& rule : learned.rules) {
    rules.push_back(rule_json(file, rule.rule.left,
                              term::to_string(file.terms, rule.rule.right, file.notation), rule));
  }
  OrderedJson about_numbers = OrderedJson::array();
  for (const LearnedNumberRule& rule : number_rules) {
    OrderedJson rights = OrderedJson::array();
    for (const Term right : rule.rule.rights) {
      rights.push_back(term::to_string(file.terms, right, file.notation));
    }
    about_numbers.push_back(rule_json(file, rule.rule.left, rights, rule.support));
    about_numbers.back()["computed"] = !rule.answers.empty();
  }
  OrderedJson suspicious = OrderedJson::array();
  for (const BadLine& bad : bad_lines(file, learned)) {
    suspicious.push_back({{"line", bad.line}, {"reason", bad.reason}});
  }
  return OrderedJson{{"chains", file.chains.size()},
                     {"steps", learned.steps},
                     {"strategy", strategy_name(learned.strategy)},
                     {"notation", enum_name(file.notation)},
                     {"rules", rules},
                     {"number_rules", about_numbers},
                     {"suspicious", suspicious}}
      .dump();
}

}  // namespace nrs::induce

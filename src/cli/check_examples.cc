#include "cli/check_examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <vector>

#include "base/files.h"
#include "base/lines.h"
#include "base/status_line.h"
#include "cli/options.h"
#include "examples/separators.h"
#include "examples/summary.h"
#include "nrs/error.h"
#include "term/rule_file.h"

namespace nrs::cli {
namespace {

constexpr std::array<std::string_view, 5> kExamples{".csv", ".json", ".jsonl", ".ndjson", ".tsv"};
constexpr std::array<std::string_view, 5> kNoExamples{".ari", ".nrs", ".rec", ".rules", ".trs"};
constexpr std::size_t kLinesToTry = 200;
constexpr std::size_t kMostGroundRules = 100;
constexpr std::size_t kMostLine = std::size_t{1} << 20;

template <class Words>
bool is_one_of(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// ?x, or a line that only rule files have.
bool speaks_of_rules(std::string_view line) {
  if (line.starts_with("variables ") || line.starts_with("notation ")) return true;
  for (std::size_t i = line.find('?'); i != std::string_view::npos; i = line.find('?', i + 1)) {
    if (i + 1 < line.size() && std::isalnum(static_cast<unsigned char>(line[i + 1])) != 0) {
      return true;
    }
  }
  return false;
}

// Rules have two sides. Anything else is a chain, a table, an object or a formula alone.
bool has_two_sides(std::string_view line) {
  for (const auto family : {examples::Family::kArrows, examples::Family::kEquals}) {
    if (examples::Separators(family).split(line).size() == 2) return true;
  }
  return false;
}

// Rules without variables are few, and none has the left side of another.
bool can_be_rules(const std::vector<std::string>& lines) {
  if (lines.empty() || lines.size() > kMostGroundRules) return false;
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  try {
    const term::RuleSet rules = term::read_rules(text, term::RuleFormat::kText, "");
    std::set<term::Term> lefts;
    for (const term::Rule& rule : rules.rules) lefts.insert(rule.left);
    return lefts.size() == rules.rules.size();
  } catch (const Error&) {
    return false;
  }
}

std::optional<examples::Kind> kind_named(const std::string& name) {
  if (name == "steps") return examples::Kind::kSteps;
  if (name == "answers") return examples::Kind::kAnswer;
  return std::nullopt;
}

}  // namespace

bool are_examples(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (path == "-" || is_one_of(kExamples, extension)) return true;
  if (is_one_of(kNoExamples, extension)) return false;
  bool others = false;
  std::vector<std::string> first;
  LineReader lines(path, kMostLine);
  std::string line;
  for (std::size_t i = 0; i < kLinesToTry && lines.next(line); ++i) {
    if (line.empty() || line.starts_with('#')) continue;
    if (speaks_of_rules(line)) return false;
    others = others || !has_two_sides(line);
    first.push_back(line);
  }
  return others || !can_be_rules(first);
}

examples::ReadOptions read_options(const std::string& kind, const examples::Progress& progress) {
  examples::ReadOptions how;
  how.progress = progress;
  how.kind = kind_named(kind);
  return how;
}

int check_examples(const std::filesystem::path& path, const std::string& kind, bool json) {
  StatusLine status(stderr, errors_are_terminal());
  const auto progress = [&](std::string_view doing, std::size_t done) {
    if (status.due()) status.show(fmt::format("{} {}", done, doing));
  };
  const examples::ExampleFile file = examples::read_examples(path, read_options(kind, progress));
  examples::SummaryOptions options;
  options.progress = progress;
  const examples::Summary summary = examples::summarise(file, options);
  status.clear();
  print(json ? examples::to_json(summary) + "\n" : examples::to_text(summary));
  examples::require_teachable(summary);
  return summary.found.wrong() == 0 ? kDone : static_cast<int>(ErrorKind::kInput);
}

}  // namespace nrs::cli

#include "examples/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "examples/held_out.h"
#include "nrs/error.h"

namespace nrs::examples {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 10;
constexpr std::size_t kWordsShown = 20;
// The fraction of lines that may contradict others. In a small file a few may be bad luck.
constexpr double kMostContradictions = 0.2;
constexpr double kMostOfFew = 0.3;
constexpr std::size_t kManyContradictions = 10;

// "1,234,567"
std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string some(std::size_t number, std::string_view one, std::string_view several) {
  return grouped(number) + " " + std::string(number == 1 ? one : several);
}

std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

void count_example(const Example& example, Summary& summary) {
  const std::size_t steps = example.formulas.size() - 1;
  if (example.kind == Kind::kAnswer && steps > 0) {
    summary.answers += example.times;
  } else if (steps > 0 || !example.complete) {
    summary.chains += example.times;
    summary.steps += example.times * (example.places.empty() ? steps : 1);
  } else {
    summary.finals += example.times;
  }
  for (const std::string& formula : example.formulas) {
    summary.nesting = std::max(summary.nesting, nesting_of(formula));
    const std::size_t length = length_of(formula);
    if (length <= summary.longest) continue;
    summary.longest = length;
    summary.longest_line = example.line;
  }
}

void count_held_out(const ExampleFile& file, std::uint64_t seed, Summary& summary) {
  const Split split = split_held_out(file.examples, seed);
  summary.held_out = split.held_out.size();
  for (std::size_t i = 0; i < split.held_out.size(); ++i) {
    const std::string& question = file.examples[split.held_out[i]].formulas[0];
    const std::size_t nesting = nesting_of(question);
    const std::size_t length = length_of(question);
    if (i == 0 || nesting < summary.held_out_nesting) summary.held_out_nesting = nesting;
    if (i == 0 || length < summary.held_out_characters) summary.held_out_characters = length;
  }
}

// ---- for people

std::string show_examples(const Summary& s) {
  std::vector<std::string> parts;
  if (s.chains > 0) {
    parts.push_back(some(s.chains, "chain", "chains") + " with " + some(s.steps, "step", "steps"));
  }
  if (s.answers > 0) parts.push_back(some(s.answers, "question", "questions") + " with answers");
  if (s.finals > 0) parts.push_back(some(s.finals, "final formula", "final formulas"));
  return fmt::format("{} ({}): {}", grouped(s.examples), name_of(s.format), fmt::join(parts, ", "));
}

// Of a large file.
std::string show_left_out(const Summary& s) {
  if (s.left_out == 0) return {};
  return "left out     " + grouped(s.left_out) +
         " more: the file is large; some of every length are learned from, the others are "
         "only checked\n";
}

std::string show_kind(const Summary& s) {
  return fmt::format("{}: {}", s.kind == Kind::kSteps ? "steps" : "answers only", s.why);
}

std::string show_terms(const TermsOrText& terms) {
  const char* word = terms.likely == Likely::kTerms    ? "terms"
                     : terms.likely == Likely::kEither ? "terms or text"
                                                       : "text";
  return fmt::format("{}: {}", word, terms.why);
}

std::string show_tokens(const Alphabet& alphabet) {
  std::vector<std::string> parts;
  if (alphabet.longest_number > 0) {
    parts.push_back("numbers of up to " + some(alphabet.longest_number, "digit", "digits"));
  }
  if (alphabet.more_words) {
    parts.emplace_back("rows of letters");  // far more words than any notation has
  } else if (alphabet.words.size() > kWordsShown) {
    parts.push_back(grouped(alphabet.words.size()) + " words");
  } else if (!alphabet.words.empty()) {
    std::vector<std::string> words;
    for (const std::string& word : alphabet.words) words.push_back(excerpt(word));
    parts.push_back(
        fmt::format("{} {}", words.size() == 1 ? "word" : "words", fmt::join(words, " ")));
  }
  if (alphabet.single_letters) parts.emplace_back("single letters");
  if (alphabet.blanks) parts.emplace_back("blanks");
  return parts.empty() ? "single characters" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string show_alphabet(const Alphabet& alphabet) {
  std::string text = some(alphabet.characters.size(), "character", "characters") + ": " +
                     show_characters(alphabet.characters);
  if (!alphabet.scripts.empty()) text += fmt::format(" ({})", fmt::join(alphabet.scripts, ", "));
  return text;
}

std::string show_values(const Findings& found) {
  std::string text = grouped(found.values) + " distinct";
  if (found.few_values.empty()) return text;
  std::vector<std::string> values;
  for (const std::string& value : found.few_values) {
    values.push_back(value.empty() ? "the empty one" : excerpt(value));
  }
  return fmt::format("{}: {}", text, fmt::join(values, " "));
}

std::string show_held_out(const Summary& s) {
  if (s.held_out == 0) return "nothing: there are too few questions";
  const std::string least =
      s.nesting > 1 ? fmt::format("nesting {} and more", s.held_out_nesting)
                    : some(s.held_out_characters, "character", "characters") + " and more";
  return some(s.held_out, "example", "examples") + " for testing: " + least;
}

// All of them in one line.
std::string show_duplicates(const Findings& found) {
  constexpr std::size_t kPlaces = 5;
  const std::size_t all = found.count(Fault::kDuplicate);
  if (all == 0) return {};
  std::vector<std::uint32_t> lines;
  for (const Finding& finding : found.list) {
    if (finding.fault == Fault::kDuplicate && lines.size() < kPlaces) lines.push_back(finding.line);
  }
  if (lines.empty()) return {};
  const std::string more =
      all > lines.size() ? " and " + grouped(all - lines.size()) + " more" : "";
  return fmt::format("  the same as an earlier line: {} {}{}\n", all == 1 ? "line" : "lines",
                     fmt::join(lines, ", "), more);
}

std::string show_findings(const Findings& found) {
  std::size_t all = 0;
  for (const std::size_t count : found.counts) all += count;
  if (all == 0) return "suspicious   nothing\n";
  std::vector<std::string> counts;
  for (std::size_t i = 0; i < kFaults; ++i) {
    if (found.counts[i] == 0) continue;
    counts.push_back(grouped(found.counts[i]) + " " +
                     std::string(words_for(Fault(i), found.counts[i])));
  }
  std::string text = fmt::format("suspicious   {}\n", fmt::join(counts, ", "));
  const std::size_t alone = all - found.count(Fault::kDuplicate);  // duplicates are the last
  const std::size_t shown = std::min({found.list.size(), kMostShown, alone});
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  line {}: {}\n", found.list[i].line, found.list[i].text);
  }
  if (alone > shown) text += "  and " + grouped(alone - shown) + " more\n";
  return text + show_duplicates(found);
}

// ---- for programs

Json json_of(const Findings& found) {
  Json list = Json::array();
  for (const Finding& finding : found.list) {
    Json entry = {{"fault", name_of(finding.fault)}, {"line", finding.line}};
    if (finding.other_line != 0) entry["other_line"] = finding.other_line;
    entry["text"] = finding.text;
    list.push_back(std::move(entry));
  }
  Json counts = Json::object();
  for (std::size_t i = 0; i < kFaults; ++i) {
    counts[std::string(name_of(Fault(i)))] = found.counts[i];
  }
  return {{"counts", std::move(counts)}, {"list", std::move(list)}};
}

Json json_of(const TermsOrText& terms) {
  constexpr std::array<const char*, 3> kLikely{"terms", "either", "text"};
  return {{"likely", kLikely[static_cast<std::size_t>(terms.likely)]},
          {"notation", terms.notation ? Json(enum_name(*terms.notation)) : Json(nullptr)},
          {"why", terms.why}};
}

Json json_of(const Alphabet& alphabet) {
  return {{"characters", alphabet.characters},
          {"scripts", alphabet.scripts},
          {"longest_number", alphabet.longest_number},
          {"words", alphabet.words},
          {"more_words", alphabet.more_words},
          {"single_letters", alphabet.single_letters},
          {"blanks", alphabet.blanks}};
}

}  // namespace

Summary summarise(const ExampleFile& file, const SummaryOptions& options) {
  Summary summary;
  summary.name = file.name;
  summary.format = file.format;
  summary.kind = file.kind;
  summary.why = file.why;
  summary.numbered = file.numbered;
  summary.left_out = file.left_out;
  AlphabetCounter alphabet;
  for (std::size_t i = 0; i < file.examples.size(); ++i) {
    const Example& example = file.examples[i];
    if (options.progress && i % kProgressEvery == 0) options.progress("examples counted", i);
    count_example(example, summary);
    summary.examples += example.times;
    for (const std::string& formula : example.formulas) alphabet.take(formula, example.line);
  }
  summary.alphabet = alphabet.result();
  summary.terms = terms_or_text(file.examples, options.progress);
  summary.found = find_faults(file, summary.alphabet, options.progress);
  count_held_out(file, options.seed, summary);
  return summary;
}

std::string to_text(const Summary& s) {
  std::string text = "examples     " + show_examples(s) + "\n";
  text += show_left_out(s);
  if (s.numbered) text += "numbered     every line begins with its number, which is left out\n";
  text += "kind         " + show_kind(s) + "\n";
  text += "formulas     " + show_terms(s.terms) + "\n";
  text += fmt::format("longest      {} (line {}), nesting {}\n",
                      some(s.longest, "character", "characters"), s.longest_line, s.nesting);
  text += "alphabet     " + show_alphabet(s.alphabet) + "\n";
  text += "tokens       " + show_tokens(s.alphabet) + "\n";
  text += "questions    " + grouped(s.found.questions) + " distinct\n";
  text += "values       " + show_values(s.found) + "\n";
  text += "held out     " + show_held_out(s) + "\n";
  return text + show_findings(s.found);
}

std::string to_json(const Summary& s) {
  const Json object = {
      {"file", s.name},
      {"format", name_of(s.format)},
      {"kind", s.kind == Kind::kSteps ? "steps" : "answers"},
      {"why", s.why},
      {"numbered", s.numbered},
      {"examples", s.examples},
      {"left_out", s.left_out},
      {"chains", s.chains},
      {"steps", s.steps},
      {"answers", s.answers},
      {"finals", s.finals},
      {"formulas", json_of(s.terms)},
      {"longest", {{"characters", s.longest}, {"line", s.longest_line}, {"nesting", s.nesting}}},
      {"alphabet", json_of(s.alphabet)},
      {"questions", s.found.questions},
      {"values", s.found.values},
      {"few_values", s.found.few_values},
      {"held_out",
       {{"examples", s.held_out},
        {"least_nesting", s.held_out_nesting},
        {"least_characters", s.held_out_characters}}},
      {"suspicious", json_of(s.found)}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void require_teachable(const Summary& s) {
  if (s.examples > 1 && s.found.count(Fault::kDuplicate) + 1 == s.examples) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: all {} examples are the same", s.name, grouped(s.examples)),
                "examples must show different formulas");
  }
  const std::size_t contradictions =
      s.found.count(Fault::kTwoValues) + s.found.count(Fault::kFinalAndRewritten);
  const double most = contradictions < kManyContradictions ? kMostOfFew : kMostContradictions;
  if (static_cast<double>(contradictions) > most * static_cast<double>(s.examples)) {
    const Finding& worst = s.found.list.front();
    throw Error(ErrorKind::kInput,
                fmt::format("{}:{}: {}; {} of {} lines contradict others", s.name, worst.line,
                            worst.text, grouped(contradictions), grouped(s.examples)),
                "a formula must have one value; nrs check lists the lines");
  }
}

}  // namespace nrs::examples

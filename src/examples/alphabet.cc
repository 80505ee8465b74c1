#include "examples/alphabet.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace nrs::examples {
namespace {

struct Script {
  char32_t first;
  char32_t last;
  const char* name;
  bool letters;
};

// The scripts that formulas and words are written in; what is missing is called "others".
constexpr std::array<Script, 21> kScripts{{
    {U'A', U'Z', "Latin", true},
    {U'a', U'z', "Latin", true},
    {0x00a0, 0x00bf, "symbols", false},
    {0x00c0, 0x024f, "Latin", true},
    {0x0370, 0x03ff, "Greek", true},
    {0x0400, 0x052f, "Cyrillic", true},
    {0x0530, 0x058f, "Armenian", true},
    {0x0590, 0x05ff, "Hebrew", true},
    {0x0600, 0x06ff, "Arabic", true},
    {0x0900, 0x097f, "Devanagari", true},
    {0x0e00, 0x0e7f, "Thai", true},
    {0x1100, 0x11ff, "Hangul", true},
    {0x1e00, 0x1eff, "Latin", true},
    {0x2000, 0x2bff, "symbols", false},
    {0x3000, 0x303f, "symbols", false},
    {0x3040, 0x30ff, "Kana", true},
    {0x3400, 0x9fff, "Han", false},
    {0xac00, 0xd7af, "Hangul", true},
    {0x1d400, 0x1d7ff, "mathematical letters", false},
    {0x1f000, 0x1faff, "pictures", false},
    {0x20000, 0x2ffff, "Han", false},
}};

const Script* script_of(char32_t character) {
  const auto* const found = std::find_if(kScripts.begin(), kScripts.end(), [=](const Script& s) {
    return s.first <= character && character <= s.last;
  });
  return found == kScripts.end() ? nullptr : found;
}

bool is_letter(char32_t character) {
  if (character < 128) return (character | 0x20U) >= U'a' && (character | 0x20U) <= U'z';
  const Script* script = script_of(character);
  return script != nullptr && script->letters;
}

bool is_digit(char32_t character) {
  return character >= U'0' && character <= U'9';
}

// The number of the character of `length` bytes at the start of a text.
char32_t decode(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length == 1) return byte(0);
  char32_t character = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) character = character << 6 | (byte(i) & 0x3fU);
  return character;
}

std::string encode(char32_t c) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80U | (c >> shift & 0x3fU)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xc0U | c >> 6), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xe0U | c >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0U | c >> 18), tail(12), tail(6), tail(0)};
}

std::string show(const std::string& character) {
  return character == " " ? "blank" : excerpt(character);
}

}  // namespace

void AlphabetCounter::see(char32_t character, std::uint32_t line) {
  Seen& seen = character < 128 ? ascii_[character] : others_[character];
  if (seen.line == 0) seen.line = line;
  seen.again = seen.again || seen.line != line;
}

void AlphabetCounter::end_run(std::string_view formula, std::size_t end) {
  if (run_ == Run::kDigits) longest_number_ = std::max(longest_number_, run_length_);
  if (run_ == Run::kLetters && run_length_ == 1) single_letters_ = true;
  if (run_ == Run::kLetters && run_length_ > 1) {
    const std::string_view word = formula.substr(run_begin_, end - run_begin_);
    if (words_.size() < kMostWords)
      words_.insert(word);
    else
      more_words_ = more_words_ || !words_.contains(word);
  }
  run_ = Run::kNone;
}

void AlphabetCounter::take(std::string_view formula, std::uint32_t line) {
  for (std::size_t i = 0; i < formula.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(formula.substr(i)), 1);
    const char32_t character = decode(formula.substr(i), length);
    see(character, line);
    const Run run = is_letter(character)  ? Run::kLetters
                    : is_digit(character) ? Run::kDigits
                                          : Run::kNone;
    if (run != run_) {
      end_run(formula, i);
      run_ = run;
      run_begin_ = i;
      run_length_ = 0;
    }
    ++run_length_;
    i += length;
  }
  end_run(formula, formula.size());
}

Alphabet AlphabetCounter::result() const {
  std::map<char32_t, Seen> seen(others_.begin(), others_.end());
  for (char32_t c = 0; c < ascii_.size(); ++c) {
    if (ascii_[c].line != 0) seen.emplace(c, ascii_[c]);
  }
  Alphabet alphabet;
  for (const auto& [character, where] : seen) {
    alphabet.characters.push_back(encode(character));
    if (!where.again) alphabet.rare.push_back({alphabet.characters.back(), where.line});
    const Script* script = script_of(character);
    if (character < 128 && script == nullptr) continue;
    const std::string name = script == nullptr ? "others" : script->name;
    auto& scripts = alphabet.scripts;
    if (std::find(scripts.begin(), scripts.end(), name) == scripts.end()) scripts.push_back(name);
  }
  std::stable_sort(alphabet.rare.begin(), alphabet.rare.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  alphabet.longest_number = longest_number_;
  alphabet.words.assign(words_.begin(), words_.end());
  std::sort(alphabet.words.begin(), alphabet.words.end());
  alphabet.more_words = more_words_;
  alphabet.single_letters = single_letters_;
  alphabet.blanks = seen.contains(U' ');
  return alphabet;
}

std::string show_characters(const std::vector<std::string>& characters, std::size_t most) {
  std::vector<char32_t> numbers;
  for (const std::string& text : characters) numbers.push_back(decode(text, text.size()));
  std::string shown;
  std::size_t entries = 0;
  for (std::size_t i = 0; i < numbers.size(); ++entries) {
    if (entries == most) return shown + " ...";
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1 &&
           (is_letter(numbers[i]) || is_digit(numbers[i])) &&
           is_letter(numbers[i]) == is_letter(numbers[end])) {
      ++end;
    }
    if (end - i < 3) end = i + 1;
    if (i > 0) shown += ' ';
    shown += show(characters[i]);
    if (end - i > 1) shown.append("-").append(show(characters[end - 1]));
    i = end;
  }
  return shown;
}

}  // namespace nrs::examples

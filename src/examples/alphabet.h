#pragma once
// What formulas are made of: characters and scripts, numbers and words.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace nrs::examples {

// A character that stands in one line only, which may be a typing mistake.
struct RareCharacter {
  std::string character;
  std::uint32_t line;
};

struct Alphabet {
  std::vector<std::string> characters;  // in the order of their numbers
  std::vector<std::string> scripts;  // "Latin", "Greek", "symbols", ...; not digits and ASCII signs
  std::size_t longest_number = 0;    // digits in a row; 0 if there are none
  std::vector<std::string> words;    // of two letters and more, sorted; at most kMostWords
  bool more_words = false;
  bool single_letters = false;  // letters with no letter beside them
  bool blanks = false;
  std::vector<RareCharacter> rare;  // by line
};

inline constexpr std::size_t kMostWords = 1000;

// "0-9 A-F ( )": characters for people, neighbours drawn together, at most `most` entries.
std::string show_characters(const std::vector<std::string>& characters, std::size_t most = 60);

// Counts formulas, which must live longer; lines come in order.
class AlphabetCounter {
 public:
  void take(std::string_view formula, std::uint32_t line);
  Alphabet result() const;

 private:
  struct Seen {
    std::uint32_t line = 0;  // the first
    bool again = false;      // in a later line
  };
  void see(char32_t character, std::uint32_t line);
  void end_run(std::string_view formula, std::size_t end);

  std::array<Seen, 128> ascii_{};
  std::unordered_map<char32_t, Seen> others_;
  std::unordered_set<std::string_view> words_;
  enum class Run { kNone, kLetters, kDigits };
  Run run_ = Run::kNone;
  std::size_t run_begin_ = 0;
  std::size_t run_length_ = 0;  // characters
  std::size_t longest_number_ = 0;
  bool single_letters_ = false;
  bool more_words_ = false;
};

}  // namespace nrs::examples

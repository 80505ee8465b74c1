#pragma once
// Which texts a Solver was taught to answer. A network gives every text some value; what keeps it
// from inventing one is that a text which no example explains is not asked.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nrs::model {

// Which bytes a guard takes for the same, such as the digits.
using ByteClasses = std::array<std::uint8_t, 256>;
// Every byte is a class of its own.
ByteClasses all_apart();

// Texts made of parts, in this order: each part is one of some texts, none of them empty.
using TextProduct = std::vector<std::vector<std::string>>;

// A finite automaton over classes of bytes. It accepts a text if every part of it that is `width`
// characters wide stands in a taught text too, its two ends counted as characters. With kWholeTexts
// it compares whole texts: with the taught ones, or with what can be made of their parts.
class LeafGuard {
 public:
  static constexpr int kWholeTexts = 0;
  static constexpr std::size_t kMostStates = 1 << 16;

  // The numbers of a guard, as the model's file has them. State 0 accepts nothing, whatever comes;
  // state 1 is the start. Bytes of class 0 lead to state 0.
  struct Table {
    int width = kWholeTexts;
    std::vector<std::uint8_t> class_of;   // [256]
    std::vector<std::uint16_t> next;      // [states, classes]
    std::vector<std::uint8_t> accepting;  // [states]

    std::size_t classes() const { return accepting.empty() ? 0 : next.size() / accepting.size(); }
    bool operator==(const Table&) const = default;
  };

  // Texts in any order; repetition does not matter. Throws Error (input) if the automaton would
  // need more than kMostStates: a smaller width needs fewer.
  static LeafGuard of_texts(std::vector<std::string> texts, int width,
                            const ByteClasses& classes = all_apart());
  // Accepts every text of these products. Throws as of_texts().
  static LeafGuard of_products(const std::vector<TextProduct>& products);
  // Accepts what both accept. Its width is that of the first. Throws as of_texts().
  static LeafGuard both(const LeafGuard& first, const LeafGuard& second);
  // Throws Error (input) unless the table is sound.
  explicit LeafGuard(Table table);

  bool accepts(std::string_view text) const;
  // Every text that it accepts, in order; nothing if there are more than `most`, or no end to them.
  std::optional<std::vector<std::string>> texts(std::size_t most) const;
  const Table& table() const { return table_; }

  bool operator==(const LeafGuard&) const = default;

 private:
  Table table_;
};

}  // namespace nrs::model

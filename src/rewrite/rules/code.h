#pragma once
// A program as words for the machine: instructions with their operands, one after the other, and
// for every place where memory may be collected the registers that are still needed.
#include <cstdint>
#include <vector>

#include "rewrite/rules/heap.h"
#include "rewrite/rules/program.h"

namespace nrs::rewrite::rules {

// Instructions; their operands are in brackets. R is a register, L the number of a list of live
// registers, T the place of an instruction in the code.
enum class Op : std::uint32_t {
  kHalt,
  kSwitch1,      // [R symbol T default]
  kSwitch2,      // [R symbol T symbol T default]
  kSwitchTable,  // [R table default]: table + symbol is the place of T, or of 0
  kField,        // [target R index+1]
  kUnlessSame,   // [R R T]: goes to T unless they are the same
  kIfSame,       // [R R T]
  kUnlessValue,  // [R value T]: the value is a constant, of which there is one node only
  kIfValue,      // [R value T]
  kConstant,     // [target value]
  kBuild1,       // [L target symbol R]
  kBuild2,       // [L target symbol R R]
  kBuild,        // [L target symbol n R*]
  kCall1,        // [entry frame target R L]: frame is the number of registers of the caller
  kCall2,        // [entry frame target R R L]
  kCall,         // [entry frame target n R* L]
  kStep,         // []: counts
  kReturn,       // [R]
  kReturnStep,   // [R]: counts, too
  kTail1,        // [entry R]
  kTail2,        // [entry R R]
  kTail,         // [entry n R*]
  kStepTail1,
  kStepTail2,
  kStepTail,  // count, too
  kStuck,     // [L symbol n]
};

class Code {
 public:
  // Makes the constants of the program in the heap and seals it.
  Code(const Program& program, Heap& heap);

  const std::vector<std::uint32_t>& words() const { return words_; }
  const std::vector<std::uint32_t>& tables() const { return tables_; }
  // Symbols with this number or a larger one are in no table.
  std::uint32_t symbols() const { return static_cast<std::uint32_t>(entries_.size()); }
  // Where the function of a symbol begins; 0 if it has no rules. The word before is the number of
  // its registers.
  std::uint32_t entry(std::uint32_t symbol) const {
    return symbol < entries_.size() ? entries_[symbol] : 0;
  }
  const std::vector<Register>& live(std::uint32_t list) const { return live_[list]; }
  // The only node of a symbol without arguments.
  Value constant(std::uint32_t symbol) const { return constants_[symbol]; }
  // Returning there ends a run.
  static constexpr std::uint32_t kHaltPlace = 1;

 private:
  friend class CodeWriter;

  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> tables_;
  std::vector<std::uint32_t> entries_;
  std::vector<std::vector<Register>> live_;
  std::vector<Value> constants_;
};

}  // namespace nrs::rewrite::rules

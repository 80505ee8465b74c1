#pragma once
// Leaves that have been solved before. A formula's leaves repeat, and a Solver is a function.
#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "nrs/modules.h"

namespace nrs::runtime {

// Bounded: a part that is full is emptied. Thread-safe.
class SolutionTable {
 public:
  // Remembers about this many leaves at most; 0: none.
  explicit SolutionTable(std::size_t capacity) : part_capacity_(capacity / kParts) {}

  std::optional<Solution> find(std::string_view leaf) const {
    const Part& part = parts_[part_of(leaf)];
    const std::lock_guard lock(part.mutex);
    const auto found = part.solutions.find(leaf);
    return found == part.solutions.end() ? std::nullopt : std::optional(found->second);
  }
  void add(std::string_view leaf, const Solution& solution) {
    if (part_capacity_ == 0) return;
    Part& part = parts_[part_of(leaf)];
    const std::lock_guard lock(part.mutex);
    if (part.solutions.size() >= part_capacity_) part.solutions.clear();
    part.solutions.emplace(leaf, solution);
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Part {
    mutable std::mutex mutex;
    std::unordered_map<std::string, Solution, Hash, std::equal_to<>> solutions;
  };
  static constexpr std::size_t kParts = 16;
  static std::size_t part_of(std::string_view leaf) { return Hash()(leaf) / 7 % kParts; }

  std::size_t part_capacity_;
  std::array<Part, kParts> parts_;
};

}  // namespace nrs::runtime

#pragma once
// The words by which headers of tables and keys of objects say what a formula is.
#include <optional>
#include <string_view>

#include "examples/examples.h"

namespace nrs::examples {

enum class Role {
  kFirst,   // the formula or question
  kNext,    // the formula after one step
  kAnswer,  // the answer or value
  kSecond,  // one of these two
};

// Whatever the case of the letters (but X and Y are capital); nothing for other words.
std::optional<Role> role_of(std::string_view word);

// What the word for the second formula says of the way to it.
std::optional<Kind> kind_of(Role second);

}  // namespace nrs::examples

#pragma once
// What is said of a model file that is damaged, or no model file at all.
#include <string>
#include <utility>

#include "nrs/error.h"

namespace nrs::model {

[[noreturn]] inline void refuse_file(const std::string& reason, std::string hint = {}) {
  throw Error(ErrorKind::kInput, reason, std::move(hint));
}

}  // namespace nrs::model

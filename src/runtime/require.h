#pragma once

#include <string>

#include "nrs/error.h"

namespace nrs::runtime {

// Refuses a table of a compiled model that does not fit together: it comes from a file, which may
// be damaged.
inline void require(bool sound, const char* table, const char* what) {
  if (!sound) throw Error(ErrorKind::kInput, std::string(table) + ": " + what);
}

}  // namespace nrs::runtime

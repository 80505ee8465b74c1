#pragma once
// Messages about wrong options, in our words instead of the option parser's.
#include <functional>
#include <string>
#include <string_view>

#include "nrs/error.h"

namespace nrs {

// What kind of value an option takes: "UINT", "FLOAT", or the words that it knows, "train|shipped".
using TypeOf = std::function<std::string(const std::string& option)>;

// "--engine: oracel not in {nrs,oracle}" -> "--engine: 'oracel' is not one of nrs, oracle (did you
// mean oracle?)". Other messages of the parser stay as they are.
Error usage_error(std::string_view parser, const TypeOf& type_of);

}  // namespace nrs

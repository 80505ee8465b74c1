#pragma once
// What is said about a wrong option, in our words and not in those of the option parser.
#include <functional>
#include <string>
#include <string_view>

#include "nrs/error.h"

namespace nrs {

// What kind of value an option takes: "UINT", "FLOAT", or the words that it knows, "train|shipped".
using TypeOf = std::function<std::string(const std::string& option)>;

// "--engine: oracel not in {nrs,oracle}" -> "--engine: 'oracel' is none of nrs, oracle (did you
// mean oracle?)". What the parser says of other mistakes stays as it is.
Error usage_error(std::string_view parser, const TypeOf& type_of);

}  // namespace nrs

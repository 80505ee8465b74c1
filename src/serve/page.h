#pragma once
// The page that the server shows, which is linked into the program.
#include <string>

namespace nrs::serve {

// The page, told that a server of this version is behind it.
std::string page_for_server(const std::string& version);

}  // namespace nrs::serve

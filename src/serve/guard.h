#pragma once
// Who may ask: the token, and the names that the server goes by.
#include <string>
#include <string_view>
#include <vector>

#include "serve/http.h"

namespace nrs::serve {

class Guard {
 public:
  // No token: everybody who can reach the server. No hosts: any name will do.
  Guard(std::string token, std::vector<std::string> hosts);

  // Throws Refusal if the request was sent to another name (a page elsewhere that has made its name
  // point here) or by a page of another site.
  void check_site(const Request& request) const;
  // Throws Refusal without the token.
  void check_token(const Request& request) const;

 private:
  std::string token_;
  std::vector<std::string> hosts_;
};

// "[::1]:8080" -> "::1", "localhost:8080" -> "localhost"
std::string_view host_name(std::string_view host);

// Takes as long for any given text of the same length.
bool same_secret(std::string_view given, std::string_view secret);

}  // namespace nrs::serve

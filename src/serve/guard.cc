#include "serve/guard.h"

#include <algorithm>

#include "base/text.h"

namespace nrs::serve {

Guard::Guard(std::string token, std::vector<std::string> hosts)
    : token_(std::move(token)), hosts_(std::move(hosts)) {}

void Guard::check_site(const Request& request) const {
  const std::string& host = request.header("host");
  if (!hosts_.empty() && std::ranges::find(hosts_, host_name(host)) == hosts_.end()) {
    throw Refusal(403, "this server does not go by the name '" + excerpt(host) + "'",
                  "nrs serve --allow-host NAME allows it");
  }
  const std::string& origin = request.header("origin");
  if (origin.empty() || request.method == "GET") return;
  const std::size_t scheme = origin.find("://");
  if (scheme == std::string::npos || origin.substr(scheme + 3) != host) {
    throw Refusal(403, "a page of another site may not use this server");
  }
}

void Guard::check_token(const Request& request) const {
  if (token_.empty()) return;
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view given = request.header("authorization");
  if (given.starts_with(kBearer) && same_secret(given.substr(kBearer.size()), token_)) return;
  throw Refusal(401, "this needs the token of the server", "Authorization: Bearer TOKEN");
}

std::string_view host_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, std::min(host.size(), host.find(']')) - 1);
  return host.substr(0, host.find(':'));
}

bool same_secret(std::string_view given, std::string_view secret) {
  unsigned different = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto a = static_cast<unsigned char>(given[i]);
    const auto b = static_cast<unsigned char>(secret.empty() ? 0 : secret[i % secret.size()]);
    different |= static_cast<unsigned>(a ^ b);
  }
  return different == 0;
}

}  // namespace nrs::serve

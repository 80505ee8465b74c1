#include "serve/http.h"

#include "service/answerer.h"

namespace nrs::serve {

const std::string& Request::header(const std::string& name) const {
  static const std::string kNone;
  const auto found = headers.find(name);
  return found == headers.end() ? kNone : found->second;
}

Response to_response(const Refusal& refusal) {
  Response response{.status = refusal.status(),
                    .body = "{\"error\":" + service::to_json(refusal) + "}\n",
                    .headers = refusal.headers()};
  if (refusal.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (refusal.status() == 429 || refusal.status() == 503) {
    response.headers.emplace_back("Retry-After", "1");
  }
  return response;
}

std::string event_text(std::string_view name, std::string_view data) {
  std::string text = "event: ";
  text += name;
  text += "\ndata: ";
  text += data;
  text += "\n\n";
  return text;
}

}  // namespace nrs::serve

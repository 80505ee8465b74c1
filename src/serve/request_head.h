#pragma once
// What the header of a request says. For session_request.cc only, which knows the library.
#include <boost/beast/http/message.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "serve/http.h"
#include "serve/query.h"

namespace nrs::serve {

// Throws Refusal (400) where two servers could understand different things.
template <class Fields>
Request read_head(const boost::beast::http::header<true, Fields>& header,
                  const std::string& client) {
  const auto text = [](const auto& view) { return std::string(view.data(), view.size()); };
  Request request{.method = text(header.method_string()),
                  .target = text(header.target()),
                  .path = {},
                  .client = client};
  if (request.method == "HEAD") request.method = "GET";
  const std::size_t mark = request.target.find('?');
  request.path = request.target.substr(0, mark);
  if (!request.path.starts_with('/')) throw Refusal(400, "the target is not a path");
  if (mark != std::string::npos) {
    request.query = read_query(std::string_view(request.target).substr(mark + 1));
  }
  for (const auto& field : header) {
    std::string name = text(field.name_string());
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool first = request.headers.emplace(name, text(field.value())).second;
    const bool decides = name == "host" || name == "authorization" || name == "content-length" ||
                         name == "transfer-encoding" || name == "origin";
    if (!first && decides) throw Refusal(400, "there are two headers " + name);
  }
  const std::string& coding = request.header("transfer-encoding");
  const bool known = coding.empty() || (coding == "chunked" && header.version() >= 11);
  if (!known) throw Refusal(400, "the Transfer-Encoding is not chunked");
  if (request.header("host").empty() && header.version() >= 11) {
    throw Refusal(400, "there is no Host");
  }
  return request;
}

}  // namespace nrs::serve

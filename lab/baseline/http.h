#pragma once
// Posts JSON to one address, with libcurl: bounded in time and in size, never following a redirect,
// never checking a certificate less than it should be.
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace nrs {

struct HttpOptions {
  std::string url;
  std::string key;                   // empty: none is sent
  double timeout = 600;              // seconds for a whole request
  std::size_t most_bytes = 8 << 20;  // of a reply
};

struct HttpReply {
  int status = 0;  // 0: there was no reply
  std::string body;
  std::optional<double> retry_after;  // seconds, as the server asks
  std::string redirect;               // where it would like to send us
  double seconds = 0;
  std::string error;      // why there is no (whole) reply; empty: there is
  bool hopeless = false;  // and why it will be no different the next time
};

// One connection, which is kept. For one thread at a time. No reply holds the key, whatever the
// server sends: it is cut out before anyone sees it.
class HttpClient {
 public:
  // True from `stop` ends a request at once.
  HttpClient(HttpOptions options, std::function<bool()> stop);
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;

  HttpReply post(const std::string& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The text with "[key]" in the place of a key. A key too short to be one is left alone, for then
// the text would be mangled instead.
std::string without_key(std::string text, const std::string& key);

// The address of the chat under an endpoint such as https://host/v1. Throws Error (usage) if that
// is no address, holds a password, or would send a key where others can read it.
std::string chat_url(const std::string& endpoint, bool with_key);

}  // namespace nrs

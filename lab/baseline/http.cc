#include "baseline/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "nrs/error.h"

namespace nrs {
namespace {

// How much of a reply that is too large is kept, for the record.
constexpr std::size_t kKeptOfTooLarge = 1 << 16;
constexpr long kConnectSeconds = 30;

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "[::1]") return true;
  // 127.0.0.1, but not 127.example.org.
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos;
}

struct Address {
  std::string url;  // in curl's form
  std::string scheme;
  std::string host;
};

std::string take(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (::curl_url_get(url, part, &text, 0) != CURLUE_OK) return "";
  std::string taken(text);
  ::curl_free(text);
  return taken;
}

Address read_address(const std::string& endpoint) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> url(::curl_url(), ::curl_url_cleanup);
  const auto fail = [](const std::string& what, const std::string& hint) {
    return Error(ErrorKind::kUsage, "endpoint: " + what, hint);
  };
  const std::string example = "such as https://host/v1 or http://127.0.0.1:8080/v1";
  if (!url || ::curl_url_set(url.get(), CURLUPART_URL, endpoint.c_str(), 0) != CURLUE_OK) {
    throw fail("this is not an address", example);
  }
  Address address{"", take(url.get(), CURLUPART_SCHEME), take(url.get(), CURLUPART_HOST)};
  if (address.scheme != "http" && address.scheme != "https") {
    throw fail("an address begins with https:// or http://", example);
  }
  for (const CURLUPart part :
       {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT}) {
    if (!take(url.get(), part).empty()) {
      throw fail("the address must not contain a name, a password or a question mark",
                 "put the key into an environment variable");
    }
  }
  address.url = take(url.get(), CURLUPART_URL);
  return address;
}

void start_curl() {
  static std::once_flag once;
  std::call_once(once, [] { ::curl_global_init(CURL_GLOBAL_DEFAULT); });
}

}  // namespace

std::string without_key(std::string text, const std::string& key) {
  constexpr std::size_t kShortestKey = 8;
  constexpr std::string_view kMark = "[key]";
  if (key.size() < kShortestKey) return text;
  for (std::size_t i = text.find(key); i != std::string::npos; i = text.find(key, i)) {
    text.replace(i, key.size(), kMark);
    i += kMark.size();
  }
  return text;
}

std::string chat_url(const std::string& endpoint, bool with_key) {
  start_curl();
  Address address = read_address(endpoint);
  if (with_key && address.scheme == "http" && !is_loopback(address.host)) {
    throw Error(ErrorKind::kUsage, "endpoint: http:// would send the key for all to read",
                "use https://, or take the key out of the environment");
  }
  while (address.url.ends_with('/')) address.url.pop_back();
  constexpr std::string_view kRoute = "/chat/completions";
  return address.url.ends_with(kRoute) ? address.url : address.url + std::string(kRoute);
}

struct HttpClient::State {
  HttpOptions options;
  std::function<bool()> stop;
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;
  std::string body;
  bool too_large = false;
  char error[CURL_ERROR_SIZE] = {};

  ~State() {
    ::curl_slist_free_all(headers);
    ::curl_easy_cleanup(curl);
  }

  void add_header(const std::string& line) {
    curl_slist* longer = ::curl_slist_append(headers, line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    headers = longer;
  }

  template <class Value>
  void set(CURLoption option, Value value) {
    if (const CURLcode code = ::curl_easy_setopt(curl, option, value); code != CURLE_OK) {
      throw Error(ErrorKind::kIo, std::string("cannot use libcurl: ") + ::curl_easy_strerror(code));
    }
  }

  static std::size_t receive(char* data, std::size_t, std::size_t count, void* user) {
    State& state = *static_cast<State*>(user);
    if (state.body.size() + count > state.options.most_bytes) {
      state.too_large = true;
      return 0;  // anything but `count` ends the transfer
    }
    state.body.append(data, count);
    return count;
  }

  static int watch(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const State& state = *static_cast<State*>(user);
    return state.stop && state.stop() ? 1 : 0;
  }

  void prepare();
  HttpReply finish(CURLcode code) const;
};

void HttpClient::State::prepare() {
  start_curl();
  curl = ::curl_easy_init();
  if (curl == nullptr) throw std::bad_alloc();
  add_header("Content-Type: application/json");
  add_header("Expect:");  // else curl waits for a go-ahead before it sends a long conversation
  if (!options.key.empty()) add_header("Authorization: Bearer " + options.key);
  set(CURLOPT_URL, options.url.c_str());
  set(CURLOPT_HTTPHEADER, headers);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);  // a redirect could take the key elsewhere
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout * 1000));
  set(CURLOPT_ERRORBUFFER, error);
  set(CURLOPT_WRITEFUNCTION, &State::receive);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_XFERINFOFUNCTION, &State::watch);
  set(CURLOPT_XFERINFODATA, this);
  set(CURLOPT_NOPROGRESS, 0L);
  if (is_loopback(read_address(options.url).host)) set(CURLOPT_PROXY, "");
}

HttpReply HttpClient::State::finish(CURLcode code) const {
  HttpReply reply;
  long status = 0;
  ::curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  reply.status = static_cast<int>(status);
  curl_off_t wait = 0;
  if (::curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK && wait > 0) {
    reply.retry_after = static_cast<double>(wait);
  }
  const char* redirect = nullptr;
  ::curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &redirect);
  if (redirect != nullptr) reply.redirect = redirect;
  if (too_large) {
    reply.error = "the reply is larger than " + std::to_string(options.most_bytes) + " bytes";
    reply.hopeless = true;
  } else if (code == CURLE_OPERATION_TIMEDOUT) {
    reply.error = "no reply in time";
  } else if (code != CURLE_OK) {
    reply.error = error[0] != '\0' ? error : ::curl_easy_strerror(code);
    reply.hopeless = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CONNECT_ERROR ||
                     code == CURLE_UNSUPPORTED_PROTOCOL;
  }
  return reply;
}

HttpClient::HttpClient(HttpOptions options, std::function<bool()> stop)
    : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
  state_->stop = std::move(stop);
  state_->prepare();
}

HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;

HttpReply HttpClient::post(const std::string& body) {
  state_->body.clear();
  state_->too_large = false;
  state_->error[0] = '\0';
  state_->set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  state_->set(CURLOPT_POSTFIELDS, body.c_str());
  const auto start = std::chrono::steady_clock::now();
  const CURLcode code = ::curl_easy_perform(state_->curl);
  HttpReply reply = state_->finish(code);
  reply.seconds = seconds_since(start);
  if (state_->too_large) state_->body.resize(std::min(state_->body.size(), kKeptOfTooLarge));
  reply.body = without_key(std::move(state_->body), state_->options.key);
  reply.error = without_key(std::move(reply.error), state_->options.key);
  reply.redirect = without_key(std::move(reply.redirect), state_->options.key);
  return reply;
}

}  // namespace nrs

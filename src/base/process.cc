#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/output_target.h"
#include "nrs/error.h"

namespace nrs {
namespace {

// Of one process: another one is a copy that has been forked, and must not touch the file.
struct Entry {
  std::string path;
  pid_t owner;
  bool operator==(const Entry&) const = default;
};

// Made for the first file, for a signal handler must not make it, and never destroyed, for a signal
// may come when all else has been.
std::vector<Entry>* list = nullptr;
std::atomic_flag in_use = ATOMIC_FLAG_INIT;

// The list for one thread alone. No signal reaches that thread meanwhile, so a handler that waits
// for the list never waits for what it has interrupted.
class Hold {
 public:
  Hold() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
    while (in_use.test_and_set(std::memory_order_acquire)) continue;
  }
  ~Hold() {
    in_use.clear(std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  sigset_t before_;
};

// Async-signal-safe.
void remove_unfinished_files() noexcept {
  const Hold hold;
  if (list == nullptr) return;
  for (const Entry& entry : *list) {
    if (entry.owner == ::getpid()) ::unlink(entry.path.c_str());
  }
}

// Whether the first request to end is only remembered.
std::atomic<bool> ends_in_order{false};
std::atomic<int> received_signal{0};

// The one handler of all signals that we take.
extern "C" void take_signal(int number) {
  int none = 0;
  const bool request = number == SIGINT || number == SIGTERM;
  if (request && ends_in_order && received_signal.compare_exchange_strong(none, number)) return;
  remove_unfinished_files();
  std::signal(number, SIG_DFL);
  std::raise(number);  // comes when this returns, and ends the program as if it had not been taken
}

void take(int number) {
  struct sigaction action {};
  action.sa_handler = take_signal;
  sigaction(number, &action, nullptr);
}

void clean_up_on_signals() {
  static const bool done = [] {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ}) {
      struct sigaction now {};
      sigaction(number, nullptr, &now);
      if (now.sa_handler == SIG_DFL) take(number);  // not what someone has taken or ignores
    }
    return true;
  }();
  static_cast<void>(done);
}

// A word as a shell takes it for itself.
std::string quote(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  quoted += '\'';
  return quoted;
}

}  // namespace

void notice_interrupts() {
  ends_in_order = true;
  take(SIGINT);
  take(SIGTERM);
}

UnfinishedFile::UnfinishedFile(std::string path, mode_t mode) : path_(std::move(path)) {
  clean_up_on_signals();
  const Hold hold;
  if (list == nullptr) list = new std::vector<Entry>;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor_ >= 0) list->push_back({path_, ::getpid()});
}

UnfinishedFile::~UnfinishedFile() {
  if (descriptor_ < 0) return;
  const Hold hold;
  std::erase(*list, Entry{path_, ::getpid()});
}

int interrupted() {
  return received_signal;
}

double peak_memory_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;  // given in kibibytes
}

std::string shell_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += quote(word);
  }
  return line;
}

std::vector<std::string> command_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(std::move(word));
  return words;
}

std::string command_line() {
  std::vector<std::string> words = command_words();
  if (words.empty()) return {};
  // Where the program lies says nothing about what it did.
  words.front() = std::filesystem::path(words.front()).filename().string();
  return shell_line(words);
}

std::string machine_name() {
  constexpr std::string_view kKey = "model name";
  std::ifstream file("/proc/cpuinfo");
  std::string name = "unknown processor";
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with(kKey) || colon == std::string::npos) continue;
    name = line.substr(colon + 2);
    break;
  }
  return name + ", " + std::to_string(std::max(1u, std::thread::hardware_concurrency())) +
         " threads";
}

int run_program(std::string_view name, const std::function<int()>& program) {
  const auto complain = [name](std::string_view line) {
    fmt::print(stderr, "{}: {}\n", name, line);
  };
  tell_of_folders(
      [&](const std::filesystem::path& folder) { complain("made the folder " + folder.string()); });
  try {
    const int code = program();
    StandardOutput().flush();
    return code;
  } catch (const Error& error) {
    complain(error.line());
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return 1;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    return 1;
  }
}

}  // namespace nrs

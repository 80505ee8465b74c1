#include "base/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "nrs/error.h"

namespace nrs {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const bool replaced = std::any_of(added.begin(), added.end(), [&](const auto& one) {
      return text.starts_with(one.first + "=");
    });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : added) {
    all.push_back(std::string(name).append("=").append(value));
  }
  return all;
}

constexpr int kCannotRun = 127;

// What the new process becomes, put together before it exists: between fork and exec only plain
// system calls are allowed.
struct NewProcess {
  const char* program;
  std::vector<char*> words, environment;
  int input, output, errors;  // -1: ours
  bool watched;
  int report;  // where to say that it cannot run
};

// In the new process. One that is watched is in a group of its own, and is told to stop if this
// program dies: two of them must never write the same files.
[[noreturn]] void become(const NewProcess& self, pid_t parent) {
  if (self.watched) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(kCannotRun);
  }
  ::dup2(self.input, STDIN_FILENO);
  ::dup2(self.output, STDOUT_FILENO);
  if (self.errors >= 0) ::dup2(self.errors, STDERR_FILENO);
  ::execvpe(self.program, self.words.data(), self.environment.data());
  const int code = errno;
  [[maybe_unused]] const auto written = ::write(self.report, &code, sizeof code);
  ::_exit(kCannotRun);
}

[[noreturn]] void refuse(const ChildRequest& request, int code) {
  const std::string name = request.words.empty() ? request.program.string() : request.words.front();
  throw Error(ErrorKind::kIo, "cannot run " + name + ": " + std::strerror(code));
}

// The pipe closes when the new process runs its program; what comes through it is why it cannot.
pid_t start(const ChildRequest& request, NewProcess self) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) refuse(request, errno);
  self.report = pipe[1];
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(self, parent);
  int code = child < 0 ? errno : 0;
  ::close(pipe[1]);
  if (child > 0) {
    int said = 0;
    ssize_t count = 0;
    while ((count = ::read(pipe[0], &said, sizeof said)) < 0 && errno == EINTR) continue;
    if (count == sizeof said) {
      code = said;
      ::waitpid(child, nullptr, 0);
    }
  }
  ::close(pipe[0]);
  if (code != 0) refuse(request, code);
  return child;
}

[[noreturn]] void lost() {
  throw Error(ErrorKind::kIo, std::string("cannot wait for a program: ") + std::strerror(errno));
}

// Waits without looking up: the time that the child takes is not disturbed.
int wait_for(pid_t child, rusage& usage) {
  int status = 0;
  while (::wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) lost();
  }
  return status;
}

// Hands on what a child writes while it is writing it.
class NewErrors {
 public:
  NewErrors(const NamelessFile& errors, const ChildWatch& watch)
      : errors_(errors), hand_on_(watch.on_errors) {}

  void look() {
    if (!hand_on_) return;
    const std::string text = errors_.content_from(seen_);
    seen_ += text.size();
    if (!text.empty()) hand_on_(text);
  }

 private:
  const NamelessFile& errors_;
  const std::function<void(std::string_view)>& hand_on_;
  std::size_t seen_ = 0;
};

int wait_for(pid_t child, rusage& usage, const ChildWatch& watch, const NamelessFile& errors) {
  const Clock::time_point began = Clock::now();
  NewErrors fresh(errors, watch);
  int told = 0;
  for (int status = 0;;) {
    const pid_t ended = ::wait4(child, &status, WNOHANG, &usage);
    fresh.look();
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) lost();
    const int signal = watch.stop ? watch.stop() : 0;
    if (signal != 0 && signal != told) {
      ::kill(child, signal);
      told = signal;
    }
    if (watch.on_wait) watch.on_wait(seconds_since(began));
    // A short run is not made to wait, and a long one costs nothing.
    std::this_thread::sleep_for(
        std::chrono::duration<double>(std::clamp(seconds_since(began) / 20, 0.001, 0.1)));
  }
}

}  // namespace

ChildEnd run_child(const ChildRequest& request, const ChildWatch& watch) {
  const NamelessFile nothing;
  const NamelessFile output;
  const NamelessFile errors;
  const bool watched = watch.stop || watch.on_wait || watch.on_errors;
  std::vector<std::string> words = request.words;
  std::vector<std::string> environment = environment_with(request.environment);
  const NewProcess process{.program = request.program.c_str(),
                           .words = pointers(words),
                           .environment = pointers(environment),
                           .input = (request.input != nullptr ? *request.input : nothing).rewind(),
                           .output = request.output >= 0 ? request.output : output.rewind(),
                           .errors = request.keep_errors ? errors.rewind() : -1,
                           .watched = watched,
                           .report = -1};
  const Clock::time_point began = Clock::now();
  const pid_t child = start(request, process);
  rusage usage{};
  const int status = watched ? wait_for(child, usage, watch, errors) : wait_for(child, usage);
  ChildEnd end;
  end.seconds = seconds_since(began);
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  end.peak_mb = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
  end.output = output.content();
  end.errors = errors.content();
  return end;
}

}  // namespace nrs

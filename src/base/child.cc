#include "base/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <thread>

#include "base/files.h"
#include "base/status_line.h"
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
  const Descriptor from_it(pipe[0]);
  Descriptor to_us(pipe[1]);
  self.report = to_us.number();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(self, parent);
  if (child < 0) refuse(request, errno);
  to_us.close();
  int code = 0;
  while (::read(from_it.number(), &code, sizeof code) < 0 && errno == EINTR) continue;
  if (code == 0) return child;
  ::waitpid(child, nullptr, 0);
  refuse(request, code);
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

int wait_for(pid_t child, rusage& usage, const ChildWatch& watch, const NamelessFile& errors) {
  const Clock::time_point began = Clock::now();
  std::size_t seen = 0;  // of the errors
  int told = 0;
  for (int status = 0;;) {
    const pid_t ended = ::wait4(child, &status, WNOHANG, &usage);
    if (const std::string text = watch.on_errors ? errors.content_from(seen) : ""; !text.empty()) {
      seen += text.size();
      watch.on_errors(text);
    }
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

NamelessFile::NamelessFile(std::string_view content) : file_(::memfd_create("nrs", MFD_CLOEXEC)) {
  const auto size = static_cast<ssize_t>(content.size());
  if (file_.number() < 0 || ::write(file_.number(), content.data(), content.size()) != size) {
    throw Error(ErrorKind::kIo,
                std::string("cannot create a temporary file: ") + std::strerror(errno));
  }
}

int NamelessFile::rewind() const {
  ::lseek(file_.number(), 0, SEEK_SET);
  return file_.number();
}

std::string NamelessFile::content() const {
  return read_file(fmt::format("/proc/self/fd/{}", file_.number()),
                   std::numeric_limits<std::uint32_t>::max());
}

std::string NamelessFile::content_from(std::size_t offset) const {
  std::string found;
  char some[4096];
  ssize_t count = 0;
  while ((count = ::pread(file_.number(), some, sizeof some,
                          static_cast<off_t>(offset + found.size()))) > 0) {
    found.append(some, static_cast<std::size_t>(count));
  }
  return found;
}

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

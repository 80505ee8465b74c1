#include "base/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>

#include "nrs/error.h"

namespace nrs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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
  for (const auto& [name, value] : added) all.push_back(name + "=" + value);
  return all;
}

// What posix_spawn is told of descriptors and process groups.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void connect(const NamelessFile& file, int to) {
    ::posix_spawn_file_actions_adddup2(&files, file.rewind(), to);
  }
  void own_group() {
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
  }

  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
};

pid_t start(const ChildRequest& request, const SpawnPlan& plan) {
  std::vector<std::string> words = request.words;
  std::vector<std::string> environment = environment_with(request.environment);
  pid_t child = 0;
  const int code = ::posix_spawn(&child, request.program.c_str(), &plan.files, &plan.attributes,
                                 pointers(words).data(), pointers(environment).data());
  if (code != 0) {
    const std::string name = words.empty() ? request.program.string() : words.front();
    throw Error(ErrorKind::kIo, "cannot run " + name + ": " + std::strerror(code));
  }
  return child;
}

// Waits without looking up: the time that the child takes is not disturbed.
int wait_for(pid_t child, rusage& usage) {
  int status = 0;
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) continue;
  return status;
}

int wait_for(pid_t child, rusage& usage, const ChildWatch& watch) {
  const Clock::time_point began = Clock::now();
  bool told = false;
  for (int status = 0;;) {
    if (::wait4(child, &status, WNOHANG, &usage) == child) return status;
    const int signal = watch.stop && !told ? watch.stop() : 0;
    if (signal != 0) {
      ::kill(child, signal);
      told = true;
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
  const bool watched = watch.stop || watch.on_wait;
  SpawnPlan plan;
  plan.connect(request.input != nullptr ? *request.input : nothing, STDIN_FILENO);
  plan.connect(output, STDOUT_FILENO);
  if (request.keep_errors) plan.connect(errors, STDERR_FILENO);
  if (watched) plan.own_group();
  const Clock::time_point began = Clock::now();
  const pid_t child = start(request, plan);
  rusage usage{};
  const int status = watched ? wait_for(child, usage, watch) : wait_for(child, usage);
  ChildEnd end;
  end.seconds = seconds_since(began);
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  end.peak_mb = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
  end.output = output.content();
  end.errors = errors.content();
  return end;
}

}  // namespace nrs

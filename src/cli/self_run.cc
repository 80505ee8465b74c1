#include "cli/self_run.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/files.h"
#include "cli/options.h"
#include "nrs/error.h"

namespace nrs {

NamelessFile::NamelessFile(std::string_view content)
    : descriptor_(::memfd_create("nrs", MFD_CLOEXEC)) {
  const auto size = static_cast<ssize_t>(content.size());
  if (descriptor_ < 0 || ::write(descriptor_, content.data(), content.size()) != size) {
    throw Error(ErrorKind::kIo, std::string("no room for formulas: ") + std::strerror(errno));
  }
}

NamelessFile::~NamelessFile() {
  ::close(descriptor_);
}

int NamelessFile::rewind() const {
  ::lseek(descriptor_, 0, SEEK_SET);
  return descriptor_;
}

std::string NamelessFile::content() const {
  return read_file(fmt::format("/proc/self/fd/{}", descriptor_), std::size_t{1} << 32);
}

SelfRun run_self(std::vector<std::string> arguments, const NamelessFile& input) {
  arguments.insert(arguments.begin(), "nrs");
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const NamelessFile output;
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input.rewind(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output.rewind(), STDOUT_FILENO);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int code = ::posix_spawn(&child, "/proc/self/exe", &files, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (code != 0) {
    throw Error(ErrorKind::kIo, std::string("cannot run nrs: ") + std::strerror(code));
  }
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) continue;
  const auto taken = std::chrono::steady_clock::now() - start;
  if (!WIFEXITED(status) || (WEXITSTATUS(status) != kDone && WEXITSTATUS(status) != kNotNormal)) {
    throw Error(ErrorKind::kIo, "nrs " + arguments[1] + " failed");
  }
  return {std::chrono::duration<double>(taken).count(),
          static_cast<double>(usage.ru_maxrss) * 1024 / 1e6, output.content()};
}

}  // namespace nrs

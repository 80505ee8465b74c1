#include "cli/learn_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/process.h"
#include "cli/hand_over.h"
#include "cli/self_run.h"
#include "nrs/error.h"

namespace nrs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kPause = std::chrono::milliseconds(50);
constexpr int kCannotRun = 127;

// In the new process, where only plain system calls are allowed. It is in a group of its own: a
// Ctrl-C at the terminal would reach it a second time, and end it before it has saved. If this
// program dies, it is told to stop, so that two never write the same files.
[[noreturn]] void become(char* const* words, int output, int errors, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kCannotRun);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::execv(words[0], words);
  ::_exit(kCannotRun);
}

pid_t start(std::vector<std::string> arguments, const NamelessFile& output,
            const NamelessFile& errors) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const int out = output.rewind();
  const int err = errors.rewind();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    throw Error(ErrorKind::kIo, fmt::format("cannot run {}: {}", words[0], std::strerror(errno)));
  }
  if (child == 0) become(words.data(), out, err, parent);
  return child;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Passes a request to stop on, once: a second one would end the training before it has saved.
int wait_for(pid_t child, Clock::time_point start, const std::function<void(double)>& on_wait) {
  bool told = false;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (interrupted() != 0 && !told) {
      ::kill(child, interrupted());
      told = true;
    }
    if (on_wait) on_wait(seconds_since(start));
    std::this_thread::sleep_for(kPause);
  }
  return status;
}

// The last line that a program wrote, without its name in front.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  text = text.substr(text.rfind('\n') + 1);
  constexpr std::string_view kName = "nrs train: ";
  return text.starts_with(kName) ? text.substr(kName.size()) : text;
}

// Whether a training was told to stop, before or after it could say so itself.
bool was_stopped(int status) {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 128 + signal) return true;
    if (WIFSIGNALED(status) && WTERMSIG(status) == signal) return true;
  }
  return false;
}

void judge(int status, const NamelessFile& errors, Outcome& outcome) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == kDone) return;
  outcome.end = TrialEnd::kFailed;
  if (was_stopped(status)) {
    outcome.end = TrialEnd::kInterrupted;
  } else if (WIFSIGNALED(status)) {
    outcome.reason = fmt::format("ended by a signal: {}", ::strsignal(WTERMSIG(status)));
  } else {
    const int code = WEXITSTATUS(status);
    if (code == static_cast<int>(ErrorKind::kUsage)) outcome.end = TrialEnd::kRefused;
    outcome.reason = last_line(errors.content());
    if (outcome.reason.empty()) outcome.reason = fmt::format("exit status {}", code);
  }
}

// The files of a trial: those of the folder whose names begin with that of its model.
class TrialFiles {
 public:
  TrialFiles(const fs::path& folder, const Trial& trial)
      : folder_(folder), model_(trial.identity() + ".nrs") {}

  fs::path model() const { return folder_ / model_; }
  fs::path metrics() const { return model().string() + ".metrics.jsonl"; }
  bool can_resume() const {
    const std::string checkpoint = model().string() + ".checkpoint";
    return fs::exists(checkpoint) || fs::exists(checkpoint + ".before");
  }
  void remove() const {
    std::error_code ignored;
    std::vector<fs::path> mine;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored)) {
      if (entry.path().filename().string().starts_with(model_)) mine.push_back(entry.path());
    }
    for (const fs::path& path : mine) fs::remove(path, ignored);
  }

 private:
  fs::path folder_;
  std::string model_;
};

std::vector<std::string> command_of(const Trial& trial, const TrialFiles& files, int threads) {
  std::vector<std::string> words{trial.recipe.path.string(), "--out", files.model().string(),
                                 "--quiet"};
  for (const Setting& setting : trial.settings) {
    words.insert(words.end(), {"--set", setting.text()});
  }
  if (trial.module != StudiedModule::kRouter) {
    words.insert(words.end(), {"--only", std::string(enum_name(trial.module))});
  }
  if (threads > 0) words.insert(words.end(), {"--threads", std::to_string(threads)});
  if (files.can_resume()) words.push_back("--resume");
  return words;
}

}  // namespace

LearnRunner::LearnRunner(LearnRunnerOptions options)
    : program_(find_program(trainer())), options_(std::move(options)) {}

Outcome LearnRunner::run(const Trial& trial) {
  const TrialFiles files(options_.folder, trial);
  if (!files.can_resume()) files.remove();
  std::vector<std::string> words = command_of(trial, files, options_.threads);
  words.insert(words.begin(), program_.string());
  Outcome outcome;
  const NamelessFile output, errors;
  const auto begin = Clock::now();
  judge(wait_for(start(std::move(words), output, errors), begin, options_.on_wait), errors,
        outcome);
  outcome.seconds = seconds_since(begin);
  try {
    if (outcome.end == TrialEnd::kFinished) read_metrics(files.metrics(), trial.module, outcome);
  } catch (const Error& error) {
    outcome.end = TrialEnd::kFailed;
    outcome.reason = error.line();
  }
  if (outcome.end != TrialEnd::kInterrupted && !options_.keep) files.remove();
  return outcome;
}

}  // namespace nrs

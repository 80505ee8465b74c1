// What goes wrong in a training run: killed, disk full, damaged files, another recipe.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "base/rng.h"
#include "learn/train/checkpoint.h"
#include "nrs/error.h"
#include "tiny_run.h"

namespace nrs::learn {
namespace {

namespace fs = std::filesystem;

using TrainFaults = TinyRun;

std::string message_of(const TrainRequest& request, ErrorKind kind) {
  try {
    train(request, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

// Trains in a process of its own, which gets SIGKILL after a while. True if it was done by then.
bool survives(const TrainRequest& request, useconds_t microseconds) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      ::_exit(train(request, {}) == RunEnd::kDone ? 0 : 1);
    } catch (...) {
      ::_exit(2);
    }
  }
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return false;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return true;
}

// A checkpoint after every step, so that many kills hit one that is being written.
TEST_F(TrainFaults, KilledAtAnyMomentItGoesOnAndEndsWithTheSameFile) {
  TrainRequest killed = request("a");
  killed.recipe.checkpoint_seconds = 0;
  killed.recipe.threads = 2;
  auto& train_sections = killed.recipe.of<recipe::RewritingSections>().train;
  train_sections.selector.steps = train_sections.solver.steps = 40;
  TrainRequest whole = killed;
  whole.out = folder / "whole";
  // First, so that no thread of ours is there when the process forks.
  Rng rng(::getpid());
  bool done = false;
  int kills = 0;
  for (; !done && kills < 100; ++kills) {
    killed.resume = model::can_resume(killed.out);
    done = survives(killed, static_cast<useconds_t>(rng.between(1, 10 + 5 * kills) * 1000));
    ASSERT_FALSE(HasFailure()) << "after " << kills << " kills";
  }
  ASSERT_TRUE(done);
  EXPECT_GE(kills, 3);  // nobody is done in the first few milliseconds
  ASSERT_EQ(train(whole, {}), RunEnd::kDone);
  EXPECT_EQ(bytes("a"), bytes("whole")) << "after " << kills << " kills";
}

// Files cannot grow beyond this size while it lives, as if the disk were full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(TrainFaults, FullDiskIsAnErrorAndTheLastGoodCheckpointStays) {
  ASSERT_EQ(train(request("whole"), {}), RunEnd::kDone);
  ASSERT_EQ(train(request("a"), {.stop = stop_at(3)}), RunEnd::kInterrupted);
  {
    const SmallDisk disk(16 << 10);
    TrainRequest more = request("a", true);
    more.recipe.checkpoint_seconds = 0;
    EXPECT_NE(message_of(more, ErrorKind::kIo).find("a.checkpoint: cannot write: "),
              std::string::npos);
  }
  EXPECT_FALSE(fs::exists(folder / "a"));
  for (const auto& entry : fs::directory_iterator(folder)) {
    EXPECT_NE(entry.path().extension(), ".tmp");
  }
  const Checkpoint good = load_checkpoint(folder / "a", [](const std::string&) {});
  EXPECT_EQ(good.running->state.step, 3);
  EXPECT_EQ(train(request("a", true), {}), RunEnd::kDone);
  EXPECT_EQ(bytes("a"), bytes("whole"));
}

TEST_F(TrainFaults, FolderThatCannotBeWrittenIsFoundAtOnce) {
  write("file", "in the way");
  EXPECT_NE(message_of(request("file/model"), ErrorKind::kIo), "no error");
}

TEST_F(TrainFaults, RefusesToResumeAnotherRecipeAndSaysWhatDiffers) {
  train(request("a"), {.stop = stop_at(3)});
  TrainRequest other = request("a", true);
  other.recipe.of<recipe::RewritingSections>().train.selector.batch = 9;
  other.recipe.seed = 2;
  other.recipe.parts = 5;
  other.only = "solver";
  const std::string message = message_of(other, ErrorKind::kUsage);
  for (const char* difference : {"train.selector.batch: 9, was 8", "seed: 2, was 1",
                                 "parts: 5, was 2", "modules: solver, was all"}) {
    EXPECT_NE(message.find(difference), std::string::npos) << message;
  }
  EXPECT_EQ(train(request("a", true), {}), RunEnd::kDone);  // nothing was lost
}

TEST_F(TrainFaults, DamagedCheckpointFallsBackToTheOneBefore) {
  ASSERT_EQ(train(request("a"), {}), RunEnd::kDone);
  train(request("b"), {.stop = stop_at(5)});
  const fs::path path = model::checkpoint_path(folder / "b");
  std::string content = read_file(path, 1 << 30);
  content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
  std::ofstream(path, std::ios::binary) << content;
  std::string note;
  const TrainWatch watch{.on_note = [&note](const std::string& text) { note = text; }};
  EXPECT_EQ(train(request("b", true), watch), RunEnd::kDone);
  EXPECT_NE(note.find("continuing from the previous checkpoint"), std::string::npos);
  EXPECT_EQ(bytes("b"), bytes("a"));
}

}  // namespace
}  // namespace nrs::learn

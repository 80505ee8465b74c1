#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "base/lines.h"
#include "base/output_target.h"
#include "base/process.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/usage.h"
#include "nrs/error.h"
#include "temporary.h"

namespace nrs {
namespace {

namespace fs = std::filesystem;

using AtomicFileTest = TemporaryFolder;
using LineReaderTest = TemporaryFolder;
using ReadFileTest = TemporaryFolder;

// These very numbers are in every data set ever made: they must not change.
TEST(Rng, IsTheSameEverywhere) {
  Rng rng(42);
  EXPECT_EQ(rng.next(), 1277785991223780192u);
  EXPECT_EQ(rng.next(), 621867441410567501u);
  EXPECT_EQ(Rng(42, 7).next(), 3946285941018030906u);
  EXPECT_EQ(hash_text("((15+5)*(3-4))"), 10146857065991416315u);
}

TEST(Rng, BelowIsUniform) {
  Rng rng(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[rng.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

TEST(Rng, ChanceAndBetweenKeepTheirBounds) {
  Rng rng(2);
  int heads = 0;
  for (int i = 0; i < 100000; ++i) {
    heads += rng.chance(0.8);
    const int n = rng.between(-99, 98);
    ASSERT_TRUE(n >= -99 && n <= 98);
  }
  EXPECT_NEAR(heads, 80000, 800);
}

TEST(Threads, ParallelForVisitsEachIndexOnce) {
  std::vector<int> visits(1000);
  parallel_for(visits.size(), 4, [&](std::size_t i) { ++visits[i]; });
  EXPECT_EQ(visits, std::vector<int>(1000, 1));
}

TEST(Threads, ParallelPiecesCoverEverythingOnce) {
  for (const std::size_t count : {0, 1, 9, 10, 11}) {
    std::vector<int> visits(count);
    std::atomic<std::size_t> pieces = 0;
    parallel_pieces(count, 5, 3, [&](std::size_t begin, std::size_t size) {
      EXPECT_EQ(begin % 5, 0U);
      EXPECT_EQ(size, std::min<std::size_t>(5, count - begin));
      for (std::size_t i = begin; i < begin + size; ++i) ++visits[i];
      ++pieces;
    });
    EXPECT_EQ(visits, std::vector<int>(count, 1));
    EXPECT_EQ(pieces, (count + 4) / 5);
  }
}

TEST(Threads, ParallelForPassesTheFirstFailureOn) {
  const auto work = [](std::size_t i) {
    if (i == 3 || i == 50) throw Error(ErrorKind::kInput, "at " + std::to_string(i));
  };
  try {
    parallel_for(100, 3, work);
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "at 3");
  }
}

TEST(Text, ShowsCharactersSafely) {
  EXPECT_EQ(show_character("a", 0), "'a'");
  EXPECT_EQ(show_character("\xc3\xa9", 0), "'\xc3\xa9'");
  EXPECT_EQ(show_character("a", 1), "the end");
  EXPECT_EQ(show_character(std::string_view("\0", 1), 0), "a NUL character");
  EXPECT_EQ(show_character("\x1b[2J", 0), "control character 0x1b");
  EXPECT_EQ(show_character("\xff", 0), "byte 0xff, which is not UTF-8");
  EXPECT_EQ(show_character("\xed\xa0\x80", 0), "byte 0xed, which is not UTF-8");
  EXPECT_EQ(excerpt("a\x1b\xff\xc3\xa9z"), "a??\xc3\xa9z");
  EXPECT_EQ(excerpt("abcdef", 3), "abc...");
}

TEST(Text, LastComplaintIsWithoutTheNameOfTheProgram) {
  EXPECT_EQ(last_complaint("nrs: one\nnrs train: no memory: 5 MB\n\n"), "no memory: 5 MB");
  EXPECT_EQ(last_complaint("nrs: unknown verb"), "unknown verb");
  EXPECT_EQ(last_complaint("nrsx: killed"), "nrsx: killed");
  EXPECT_EQ(last_complaint("Killed\n"), "Killed");
  EXPECT_EQ(last_complaint(""), "");
}

TEST(Text, NearestSuggestsOnlyWhatIsClose) {
  const std::vector<std::string> words = {"simplify", "generate", "dataset"};
  EXPECT_EQ(nearest("simplfy", words), "simplify");
  EXPECT_EQ(nearest("generat", words), "generate");
  EXPECT_EQ(nearest("zzz", words), "");
  EXPECT_EQ(nearest("sim", words), "simplify");  // cut short
  EXPECT_EQ(nearest("s", words), "");
}

TEST(Usage, SpeaksOurWordsAndSuggests) {
  const auto line = [](std::string_view parser) {
    const TypeOf types = [](const std::string& option) {
      return std::string(option == "--count"    ? "UINT"
                         : option == "--models" ? "train|shipped"
                                                : "FLOAT");
    };
    return usage_error(parser, types).line();
  };
  EXPECT_EQ(line("--engine: oracel not in {fastnrs,nrs,oracle}"),
            "--engine: 'oracel' is not one of fastnrs, nrs, oracle (did you mean oracle?)");
  EXPECT_EQ(line("Could not convert: --models = trian"),
            "--models: 'trian' is not one of train, shipped (did you mean train?)");
  EXPECT_EQ(line("Could not convert: --count = many"),
            "--count: 'many' is not a valid whole number (see --help)");
  EXPECT_EQ(line("Could not convert: --rate = x"), "--rate: 'x' is not a number (see --help)");
  EXPECT_EQ(line("--wait: Value -1 not in range 0.500000 to 3600.000000"),
            "--wait: '-1' is not a number from 0.5 to 3600 (see --help)");
  EXPECT_EQ(line("--model: 1 required TEXT missing"), "--model needs a value (see --help)");
  EXPECT_EQ(line("--count excludes --data"),
            "--count and --data cannot be given together (see --help)");
  EXPECT_EQ(line("DOMAIN is required"), "DOMAIN is missing (see --help)");
  EXPECT_EQ(line("something else"), "something else (see --help)");
}

TEST(ErrorTest, TellsPlaceAndHintInOneLine) {
  const Error error = Error::at(4, "unknown character: '$'", "expected a digit").in("line 3");
  EXPECT_EQ(error.line(), "line 3, column 5: unknown character: '$' (expected a digit)");
  EXPECT_EQ(error.offset(), 4u);
}

TEST_F(AtomicFileTest, AppearsOnCommitOnly) {
  const fs::path path = folder / "new" / "file.txt";
  {
    AtomicFile file(path);
    file.write("half");
    EXPECT_FALSE(fs::exists(path));
  }
  EXPECT_TRUE(fs::is_empty(folder / "new"));
  AtomicFile file(path);
  file.write("whole");
  file.commit();
  EXPECT_EQ(read_file(path, 100), "whole");
}

void write_whole(const fs::path& path, const std::string& content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

mode_t mode_of(const fs::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// No file may grow beyond some bytes, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : taken_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, taken_);
  }

 private:
  rlimit before_{};
  void (*taken_)(int);
};

TEST_F(AtomicFileTest, FullDiskIsAnErrorAndKeepsTheOldFile) {
  const fs::path path = write("file.txt", "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_THROW(write_whole(path, std::string(1 << 20, 'x')), Error);
  }
  EXPECT_EQ(read_file(path, 100), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST_F(AtomicFileTest, ADeviceStaysADevice) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  write_whole("/dev/null", "whole");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const fs::path link = folder / "link";
  fs::create_symlink("/dev/full", link);
  EXPECT_THROW(write_whole(link, "whole"), Error);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(AtomicFileTest, AFifoGetsTheBytes) {
  const fs::path fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string got;
  {
    const std::jthread reader([&] { LineReader(fifo, 100).next(got); });
    write_whole(fifo, "whole\n");
  }
  EXPECT_EQ(got, "whole");
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST_F(AtomicFileTest, ALinkStaysAndWhatItPointsToIsReplaced) {
  fs::create_directory(folder / "far");
  write("far/file", "old");
  fs::create_symlink("far/file", folder / "near");
  fs::create_symlink("near", folder / "link");
  write_whole(folder / "link", "new");
  EXPECT_EQ(fs::read_symlink(folder / "link"), "near");
  EXPECT_EQ(fs::read_symlink(folder / "near"), "far/file");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder / "far" / "file")));
  EXPECT_EQ(read_file(folder / "far" / "file", 100), "new");
}

TEST_F(AtomicFileTest, ALinkToNothingGetsSomethingToPointTo) {
  fs::create_symlink("far/file", folder / "link");
  write_whole(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "far" / "file", 100), "new");
  fs::create_symlink("round", folder / "round");
  EXPECT_THROW(AtomicFile{folder / "round"}, Error);
}

TEST_F(AtomicFileTest, TheModeStays) {
  const fs::path path = write("file", "old");
  for (const mode_t mode : {0600, 0640, 0777}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    AtomicFile file(path);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      EXPECT_EQ(mode_of(entry.path()), mode);  // and nobody reads the temporary file either
    }
    file.write("new");
    file.commit();
    EXPECT_EQ(mode_of(path), mode);
  }
}

TEST_F(AtomicFileTest, TheOwnerStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const fs::path path = write("file", "old");
  ASSERT_EQ(::chown(path.c_str(), 1234, 5678), 0);
  write_whole(path, "new");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 1234u);
  EXPECT_EQ(info.st_gid, 5678u);
}

TEST_F(AtomicFileTest, WhatIsReadOnlyIsRefusedAlsoByRoot) {
  const fs::path path = write("file", "old");
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  fs::create_symlink("file", folder / "link");
  for (const fs::path& name : {path, folder / "link"}) {
    EXPECT_THROW(AtomicFile{name}, Error);
  }
  EXPECT_EQ(read_file(path, 100), "old");
  EXPECT_EQ(files_in(folder), 2u);
}

TEST_F(AtomicFileTest, FoldersThatAreMadeAreTold) {
  std::vector<fs::path> told;
  tell_of_folders([&](const fs::path& made) { told.push_back(made); });
  write_whole(folder / "a" / "b" / "file", "new");
  write_whole(folder / "a" / "c" / "file", "new");  // in a folder that was told of
  write_whole(folder / "file", "new");
  tell_of_folders({});
  EXPECT_EQ(told, std::vector<fs::path>{folder / "a" / "b"});
}

TEST_F(AtomicFileTest, AFolderThatWasAskedForIsNotTold) {
  std::vector<fs::path> told;
  tell_of_folders([&](const fs::path& made) { told.push_back(made); });
  make_output_folder(folder / "out");
  make_output_folder(folder / "out" / "");
  write_whole(folder / "out" / "part" / "file", "new");
  EXPECT_TRUE(told.empty());
  make_output_folder(folder / "a" / "b" / "out" / "");
  tell_of_folders({});
  EXPECT_EQ(told, std::vector<fs::path>{folder / "a" / "b"});
}

TEST_F(AtomicFileTest, WhatAKilledProgramLeftIsRemoved) {
  write("file.99.tmp", "left by an earlier program");
  write("file.7-1.tmp", "left by an earlier program");
  write("file.mine.tmp", "not of that form");
  write("file2.99.tmp", "of another file");
  const AtomicFile other(folder / "file");  // at work: its temporary file stays
  write_whole(folder / "file", "new");
  EXPECT_EQ(read_file(folder / "file", 100), "new");
  EXPECT_FALSE(fs::exists(folder / "file.99.tmp"));
  EXPECT_FALSE(fs::exists(folder / "file.7-1.tmp"));
  EXPECT_TRUE(fs::exists(folder / "file.mine.tmp"));
  EXPECT_TRUE(fs::exists(folder / "file2.99.tmp"));
  EXPECT_TRUE(fs::exists(folder / ("file." + std::to_string(::getpid()) + ".tmp")));
}

TEST_F(AtomicFileTest, ASignalThatEndsTheProgramRemovesWhatIsHalf) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const AtomicFile one(folder / "one"), again(folder / "one");
      AtomicFile two(folder / "two");
      two.write(std::string(1 << 16, 'x'));
      ::raise(number);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << number;
    EXPECT_TRUE(fs::is_empty(folder)) << number;
  }
}

TEST_F(AtomicFileTest, TheSecondInterruptRemovesWhatIsHalf) {
  const pid_t child = ::fork();
  if (child == 0) {
    notice_interrupts();
    const AtomicFile file(folder / "file");
    ::raise(SIGINT);
    if (interrupted() != SIGINT || fs::is_empty(folder)) ::_exit(1);
    ::raise(SIGINT);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(AtomicFileTest, RefusesAFolder) {
  EXPECT_THROW(AtomicFile{folder}, Error);
}

TEST_F(ReadFileTest, RefusesWhatIsNoRegularFileOrTooLarge) {
  const fs::path path = write("file", "12345");
  EXPECT_EQ(read_file(path, 5), "12345");
  EXPECT_THROW(read_file(path, 4), Error);
  EXPECT_THROW(read_file(folder, 100), Error);
  EXPECT_THROW(read_file(folder / "absent", 100), Error);
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_THROW(read_file(folder / "fifo", 100), Error);  // and does not wait for a writer
}

std::vector<std::string> lines_of(const fs::path& path, std::size_t limit) {
  LineReader reader(path, limit);
  std::vector<std::string> lines;
  std::string line;
  while (reader.next(line)) lines.push_back(reader.too_long() ? "<too long>" : line);
  return lines;
}

TEST_F(LineReaderTest, KnowsAllLineEnds) {
  const fs::path path = write("lines",
                              "\xef\xbb\xbf"
                              "a\r\n\nb\nlast");
  EXPECT_EQ(lines_of(path, 100), (std::vector<std::string>{"a", "", "b", "last"}));
  EXPECT_TRUE(lines_of(write("empty", ""), 100).empty());
}

TEST_F(LineReaderTest, PassesOverLinesThatAreTooLong) {
  const std::string big(1 << 20, 'x');
  const fs::path path = write("lines", "abcd\n" + big + "\nabcd\r\nabcde\nab");
  EXPECT_EQ(lines_of(path, 4),
            (std::vector<std::string>{"abcd", "<too long>", "abcd", "<too long>", "ab"}));
}

}  // namespace
}  // namespace nrs

#include "cli/train_solver.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/child.h"
#include "base/process.h"
#include "cli/other_program.h"
#include "nrs/error.h"
#include "recipe/train_options.h"

namespace nrs::cli {
namespace {

namespace fs = std::filesystem;

// A folder of our own, with all that is in it gone at the end.
class ScratchFolder {
 public:
  ScratchFolder() : path_((fs::temp_directory_path() / "nrs-solver-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) {
      throw Error(ErrorKind::kIo, path_ + ": cannot make this folder");
    }
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  fs::path file(const char* name) const { return fs::path(path_) / name; }

 private:
  std::string path_;
};

}  // namespace

model::Model train_solver(std::span<const data::TaughtPair> pairs, const SolverTraining& training) {
  const fs::path program = find_program(trainer());
  const ScratchFolder folder;
  const recipe::PairsOptions options{.pairs = folder.file("pairs.jsonl"),
                                     .out = folder.file("solver.nrs"),
                                     .minutes = training.minutes,
                                     .seed = training.seed,
                                     .threads = training.threads,
                                     .quiet = training.quiet};
  data::write_pair_file(options.pairs, pairs);
  std::vector<std::string> words = recipe::words_of(options);
  words.insert(words.begin(), trainer().name);
  notice_interrupts();
  const ChildEnd end =
      run_child({.program = program, .words = words}, {.stop = [] { return interrupted(); }});
  if (end.code != 0) throw Error(ErrorKind::kIo, "the Solver could not be trained");
  return model::load_model(options.out);
}

}  // namespace nrs::cli

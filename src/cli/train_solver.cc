#include "cli/train_solver.h"

#include <fmt/format.h>

#include <string>

#include "base/child.h"
#include "base/output_target.h"
#include "base/process.h"
#include "cli/console.h"
#include "cli/other_program.h"
#include "model/checksum.h"
#include "model/training_files.h"
#include "nrs/error.h"
#include "recipe/train_options.h"

namespace nrs::cli {
namespace {

namespace fs = std::filesystem;

// Names a training: another one has another folder.
std::string name_of(std::span<const data::TaughtPair> pairs, const SolverTraining& training) {
  std::uint32_t crc = model::crc32(fmt::format("{} {}", training.minutes, training.seed));
  for (const data::TaughtPair& pair : pairs) {
    crc = model::crc32(pair.text + "\t" + pair.value.value_or("\n") + "\n", crc);
  }
  return fmt::format("{:08x}", crc);
}

TrainedSolver train_in(const fs::path& folder, std::span<const data::TaughtPair> pairs,
                       const SolverTraining& training) {
  find_program(trainer());  // before anything is written
  const recipe::PairsOptions options{.pairs = folder / "pairs.jsonl",
                                     .out = folder / "solver.nrs",
                                     .goes_on = training.goes_on,
                                     .minutes = training.minutes,
                                     .seed = training.seed,
                                     .threads = training.threads,
                                     .resume = model::can_resume(folder / "solver.nrs"),
                                     .quiet = training.quiet};
  const bool done = !options.resume && fs::exists(options.out);
  if (done) return {model::load_model(options.out)};
  data::write_pair_file(options.pairs, pairs);
  const int code = run_trainer(recipe::words_of(options), "the Solver could not be trained");
  TrainedSolver trained{.model = {}, .interrupted = code != 0};
  if (fs::exists(options.out)) trained.model = model::load_model(options.out);
  return trained;
}

}  // namespace

int run_trainer(std::vector<std::string> words, const std::string& complaint) {
  words.insert(words.begin(), trainer().name);
  notice_interrupts();
  const ChildEnd end = run_child({.program = find_program(trainer()), .words = words},
                                 {.stop = [] { return interrupted(); }});
  if (end.code != 0 && interrupted() == 0) throw Error(ErrorKind::kIo, complaint);
  return end.code;
}

TrainedSolver train_solver(std::span<const data::TaughtPair> pairs,
                           const SolverTraining& training) {
  if (training.folder.empty()) return train_in(ScratchFolder("nrs-solver").path(), pairs, training);
  const fs::path folder = training.folder / name_of(pairs, training);
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error(ErrorKind::kIo, folder.string() + ": cannot make this folder");
  return train_in(folder, pairs, training);
}

fs::path training_folder(const fs::path& model) {
  return model.empty() ? "" : model.string() + ".training";
}

int end_trainings(const fs::path& model, const SolverTraining& training, bool interrupted_then) {
  if (interrupted_then) {
    complain(model.empty() ? "interrupted: the Solver was not fully trained and is discarded"
                           : fmt::format("interrupted: {0} has what was learned so far (nrs learn "
                                         "{0} --minutes {1:g} --seed {2} continues)",
                                         model.string(), training.minutes, training.seed));
    return 128 + interrupted();
  }
  std::error_code ignored;
  if (!model.empty()) fs::remove_all(training_folder(model), ignored);
  return kDone;
}

}  // namespace nrs::cli

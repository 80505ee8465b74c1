#include "learn/train/journal.h"

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/output_target.h"

namespace nrs::learn {
namespace {

// Steps between two lines of the file; the loss in a line is their mean.
constexpr int kStepsPerLine = 10;

}  // namespace

Journal::Journal(std::filesystem::path path, std::uint64_t size, TrainWatch watch)
    : path_(std::move(path)), watch_(std::move(watch)) {
  check_not_read_only(path_);
  make_folders(path_.parent_path());
  std::error_code code;
  const auto found = std::filesystem::file_size(path_, code);
  if (!code) {
    size_ = std::min<std::uint64_t>(size, found);
    std::filesystem::resize_file(path_, size_, code);
    if (code) throw io_error(path_, "write", code.value());
  }
  file_ = std::fopen(path_.c_str(), "abe");
  if (file_ == nullptr) throw io_error(path_, "write", errno);
}

Journal::~Journal() {
  std::fclose(file_);
}

void Journal::write(const nlohmann::ordered_json& line) {
  const std::string text = line.dump() + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) {
    throw io_error(path_, "write", errno);
  }
  size_ += text.size();
}

void Journal::begin(std::string_view module, int steps) {
  progress_ = {.module = module, .steps = steps};
  loss_sum_ = loss_count_ = 0;
}

void Journal::step(const StepReport& report) {
  loss_sum_ += report.loss;
  ++loss_count_;
  if (report.step % kStepsPerLine == 0 || report.step == report.steps) {
    progress_.loss = loss_sum_ / loss_count_;
    loss_sum_ = loss_count_ = 0;
    write({{"event", "step"},
           {"module", progress_.module},
           {"step", report.step},
           {"loss", progress_.loss},
           {"rate", report.rate},
           {"steps_per_second", report.steps_per_second}});
  }
  progress_.step = report.step;
  progress_.steps_per_second = report.steps_per_second;
  progress_.seconds_left = report.seconds_left;
  if (watch_.on_step) watch_.on_step(progress_);
}

// In files the two scores keep their first names: stored results have them.
void Journal::validation(int step, const Score& score) {
  write({{"event", "validation"},
         {"module", progress_.module},
         {"step", step},
         {"known", score.in_distribution},
         {"beyond", score.out_of_distribution}});
  progress_.step = step;
  progress_.in_distribution = score.in_distribution;
  progress_.out_of_distribution = score.out_of_distribution;
  if (watch_.on_validation) watch_.on_validation(progress_);
}

void Journal::end(const nlohmann::ordered_json& results) {
  write({{"event", "end"}, {"module", progress_.module}, {"results", results}});
}

}  // namespace nrs::learn

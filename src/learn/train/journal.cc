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

void Journal::step(TrainingProgress progress) {
  loss_sum_ += progress.loss;
  ++loss_count_;
  if (progress.step % kStepsPerLine == 0 || progress.step == progress.steps) {
    loss_ = loss_sum_ / loss_count_;
    loss_sum_ = loss_count_ = 0;
    write({{"event", "step"},
           {"module", progress.module},
           {"step", progress.step},
           {"loss", loss_},
           {"rate", progress.rate},
           {"steps_per_second", progress.steps_per_second}});
  }
  progress.loss = loss_;
  watch_.on_step(progress);
}

// In files the two scores keep their first names: stored results have them.
void Journal::validation(TrainingProgress progress) {
  write({{"event", "validation"},
         {"module", progress.module},
         {"step", progress.step},
         {"known", progress.in_distribution},
         {"beyond", progress.out_of_distribution}});
  progress.loss = loss_;
  watch_.on_validation(progress);
}

void Journal::end(std::string_view module, const nlohmann::ordered_json& results) {
  write({{"event", "end"}, {"module", module}, {"results", results}});
  loss_ = loss_sum_ = loss_count_ = 0;
}

}  // namespace nrs::learn

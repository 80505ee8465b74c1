#pragma once
// What is told of a training run: to a file, one JSON object per line, for plots and `nrs report`;
// and to whoever watches.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/output_target.h"
#include "learn/train/train.h"

namespace nrs::learn {

// Every line has left the program when the call that writes it returns.
class Journal {
 public:
  // Keeps the first `size` bytes of a file that exists: a run that is resumed goes on where its
  // checkpoint was made, so that no step is written twice. Throws Error (I/O).
  Journal(std::filesystem::path path, std::uint64_t size, TrainWatch watch)
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
  ~Journal() { std::fclose(file_); }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  std::uint64_t size() const { return size_; }  // bytes in the file

  void step(TrainingProgress progress) {
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
  void validation(TrainingProgress progress) {
    write({{"event", "validation"},
           {"module", progress.module},
           {"step", progress.step},
           {"known", progress.in_distribution},
           {"beyond", progress.out_of_distribution}});
    progress.loss = loss_;
    watch_.on_validation(progress);
  }

  // Of a module.
  void end(std::string_view module, const nlohmann::ordered_json& results) {
    write({{"event", "end"}, {"module", module}, {"results", results}});
    loss_ = loss_sum_ = loss_count_ = 0;
  }

 private:
  static constexpr int kStepsPerLine = 10;

  void write(const nlohmann::ordered_json& line) {
    const std::string text = line.dump() + "\n";
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) {
      throw io_error(path_, "write", errno);
    }
    size_ += text.size();
  }

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::uint64_t size_ = 0;
  TrainWatch watch_;
  double loss_ = 0;      // mean of the steps of the last line, which is what the watch is told
  double loss_sum_ = 0;  // since then
  int loss_count_ = 0;
};

}  // namespace nrs::learn

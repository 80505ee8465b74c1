#pragma once
// What is told of a training run: to a file, one JSON object per line, for plots and `nrs report`;
// and to whoever watches.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "learn/train/train.h"

namespace nrs::learn {

// Every line has left the program when the call that writes it returns.
class Journal {
 public:
  // Keeps the first `size` bytes of a file that exists: a run that is resumed goes on where its
  // checkpoint was made, so that no step is written twice. Throws Error (I/O).
  Journal(std::filesystem::path path, std::uint64_t size, TrainWatch watch);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  std::uint64_t size() const { return size_; }  // bytes in the file

  // Both tell the watch the mean loss of the steps of the last line, not that of the last step.
  void step(TrainingProgress progress);
  void validation(TrainingProgress progress);
  // Of a module.
  void end(std::string_view module, const nlohmann::ordered_json& results);

 private:
  void write(const nlohmann::ordered_json& line);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::uint64_t size_ = 0;
  TrainWatch watch_;
  double loss_ = 0;      // in the last line
  double loss_sum_ = 0;  // since then
  int loss_count_ = 0;
};

}  // namespace nrs::learn

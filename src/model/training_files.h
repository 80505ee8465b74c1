#pragma once
// What lies beside a model while it is trained, and after. Here, because more than the trainer
// looks for them.
#include <filesystem>

namespace nrs::model {

// Where an interrupted training goes on from; gone when the model is done.
inline std::filesystem::path checkpoint_path(const std::filesystem::path& model) {
  return model.string() + ".checkpoint";
}
// The one before it. For a moment it is the only one.
inline std::filesystem::path earlier_checkpoint(const std::filesystem::path& checkpoint) {
  return checkpoint.string() + ".before";
}
// Whether a training of this model was interrupted.
inline bool can_resume(const std::filesystem::path& model) {
  const std::filesystem::path last = checkpoint_path(model);
  return std::filesystem::exists(last) || std::filesystem::exists(earlier_checkpoint(last));
}
// Losses and validations, a line of JSON for each.
inline std::filesystem::path metrics_path(const std::filesystem::path& model) {
  return model.string() + ".metrics.jsonl";
}

}  // namespace nrs::model

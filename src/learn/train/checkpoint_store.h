#pragma once
// The last two checkpoints of a run: the one before stays until the new one is whole, and is what
// is left if the last turns out to be damaged.
#include <filesystem>
#include <string>

#include "learn/train/checkpoint.h"

namespace nrs {

class CheckpointStore {
 public:
  explicit CheckpointStore(const std::filesystem::path& path);

  bool exists() const;
  // Throws Error (I/O).
  void save(const Checkpoint& checkpoint);
  struct Loaded {
    Checkpoint checkpoint;
    std::string warning;  // not empty if the last one could not be used
  };
  // Throws Error if neither can be read.
  Loaded load() const;
  void remove();

 private:
  std::filesystem::path last_;
  std::filesystem::path before_;
};

}  // namespace nrs

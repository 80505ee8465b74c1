#include "learn/train/checkpoint_store.h"

#include <system_error>

#include "model/training_files.h"
#include "nrs/error.h"

namespace nrs {
namespace fs = std::filesystem;

CheckpointStore::CheckpointStore(const fs::path& path)
    : last_(path), before_(earlier_checkpoint(path)) {}

bool CheckpointStore::exists() const {
  return fs::exists(last_) || fs::exists(before_);
}

void CheckpointStore::save(const Checkpoint& checkpoint) {
  if (fs::exists(last_)) {
    std::error_code code;
    fs::rename(last_, before_, code);
    if (code) throw Error(ErrorKind::kIo, before_.string() + ": cannot write: " + code.message());
  }
  save_checkpoint(last_, checkpoint);
}

CheckpointStore::Loaded CheckpointStore::load() const {
  if (!fs::exists(before_)) return {.checkpoint = load_checkpoint(last_), .warning = {}};
  try {
    return {.checkpoint = load_checkpoint(last_), .warning = {}};
  } catch (const Error& error) {
    return {.checkpoint = load_checkpoint(before_),
            .warning = error.line() + "; going on from the checkpoint before it"};
  }
}

void CheckpointStore::remove() {
  std::error_code ignored;  // what is left over does no harm
  fs::remove(last_, ignored);
  fs::remove(before_, ignored);
}

}  // namespace nrs

#include "base/scratch_folder.h"

#include <cstdlib>

#include "nrs/error.h"

namespace nrs {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const std::string& word)
    : path_((fs::temp_directory_path() / (word + "-XXXXXX")).string()) {
  if (::mkdtemp(path_.data()) == nullptr) {
    throw Error(ErrorKind::kIo, path_ + ": cannot make this folder");
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace nrs

#include "base/nameless_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/files.h"
#include "nrs/error.h"

namespace nrs {

NamelessFile::NamelessFile(std::string_view content)
    : descriptor_(::memfd_create("nrs", MFD_CLOEXEC)) {
  const auto size = static_cast<ssize_t>(content.size());
  if (descriptor_ < 0 || ::write(descriptor_, content.data(), content.size()) != size) {
    throw Error(ErrorKind::kIo,
                std::string("cannot create a temporary file: ") + std::strerror(errno));
  }
}

NamelessFile::~NamelessFile() {
  ::close(descriptor_);
}

int NamelessFile::rewind() const {
  ::lseek(descriptor_, 0, SEEK_SET);
  return descriptor_;
}

std::string NamelessFile::content() const {
  return read_file(fmt::format("/proc/self/fd/{}", descriptor_),
                   std::numeric_limits<std::uint32_t>::max());
}

std::string NamelessFile::content_from(std::size_t offset) const {
  std::string found;
  char some[4096];
  ssize_t count = 0;
  while ((count = ::pread(descriptor_, some, sizeof some,
                          static_cast<off_t>(offset + found.size()))) > 0) {
    found.append(some, static_cast<std::size_t>(count));
  }
  return found;
}

}  // namespace nrs

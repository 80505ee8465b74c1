#include "service/models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::service {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".nrs";

// In the order of preference. A build has links in share/nrs to the folders of its sources, so that
// it looks like an installed program.
std::vector<fs::path> folders() {
  std::vector<fs::path> found;
  if (const char* chosen = std::getenv("NRS_MODELS")) found.emplace_back(chosen);
  found.push_back(shared_folder("models"));
  return found;
}

bool is_path(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(kExtension);
}

[[noreturn]] void fail_unknown(const std::string& name) {
  const std::vector<std::string> known = model_names();
  const std::string message = fmt::format("there is no model '{}'", excerpt(name));
  if (known.empty()) {
    throw Error(ErrorKind::kUsage, message,
                "no models came with this program: give the file of one");
  }
  const std::string close = nearest(name, known);
  throw Error(
      ErrorKind::kUsage, message,
      fmt::format("{}there are {}", close.empty() ? "" : fmt::format("did you mean {}? ", close),
                  fmt::join(known, ", ")));
}

}  // namespace

fs::path program_folder() {
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  return code ? fs::path() : self.parent_path();
}

fs::path shared_folder(const std::string& name) {
  return (program_folder() / ".." / "share" / "nrs" / name).lexically_normal();
}

std::vector<std::string> model_names() {
  std::set<std::string> names;
  for (const fs::path& folder : folders()) {
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
      if (entry.path().extension() == kExtension) names.insert(entry.path().stem());
    }
  }
  return {names.begin(), names.end()};
}

fs::path find_model(const std::string& name) {
  if (is_path(name)) return name;
  for (const fs::path& folder : folders()) {
    const fs::path file = folder / (name + std::string(kExtension));
    std::error_code code;
    if (fs::exists(file, code)) return file.lexically_normal();
  }
  std::error_code code;
  if (fs::exists(name, code)) return name;  // a file without the extension, or what is no model
  fail_unknown(name);
}

}  // namespace nrs::service

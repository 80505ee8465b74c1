#include "report/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "model/json_config.h"
#include "nrs/error.h"
#include "report/read_results.h"

namespace nrs {
namespace {

constexpr std::size_t kMaxFile = 16 << 20;

// The files of one kind, by name.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(folder)) return files;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (code) {
    throw Error(ErrorKind::kIo,
                fmt::format("{}: cannot be listed: {}", folder.string(), code.message()));
  }
  std::ranges::sort(files);
  return files;
}

class Loader {
 public:
  explicit Loader(const std::filesystem::path& folder) : folder_(folder) {}

  // Gives each file of a kind to `take(fields, name)`.
  template <class Take>
  void each(const char* kind, const Take& take) const {
    for (const auto& path : files_of(folder_ / kind)) {
      open(path, fmt::format("{}/{}", kind, path.filename().string()), take);
    }
  }

  template <class Take>
  void open(const std::filesystem::path& path, const std::string& name, const Take& take) const {
    const nlohmann::json document = parse_json(read_file(path, kMaxFile), path.string());
    take(Fields(document, path.string()), name);
  }

 private:
  const std::filesystem::path& folder_;
};

}  // namespace

Counts& Counts::operator+=(const Counts& more) {
  formulas += more.formulas;
  correct += more.correct;
  answered += more.answered;
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] += more.errors[i];
  return *this;
}

double Counts::accuracy() const {
  return formulas == 0 ? 0 : static_cast<double>(correct) / static_cast<double>(formulas);
}

Results load_results(const std::filesystem::path& folder) {
  const std::filesystem::path published = folder / "published.json";
  if (!std::filesystem::exists(published)) {
    throw Error(ErrorKind::kUsage, published.string() + ": there is no such file",
                "a folder of result files has it; see docs/report.md");
  }
  Results results;
  const Loader loader(folder);
  loader.open(published, "published.json", [&](const Fields& fields, const std::string&) {
    results.published = read_published(fields);
  });
  const auto into = [](auto& list, auto read) {
    return [&list, read](const Fields& fields, const std::string& name) {
      list.push_back(read(fields, name));
    };
  };
  loader.each("eval", into(results.evaluations, read_evaluation));
  loader.each("timing", into(results.timings, read_evaluation));
  loader.each("confidence", into(results.confidence, read_confidence));
  loader.each("training", into(results.training, read_training));
  loader.each("ablations", into(results.ablations, read_ablation));
  loader.each("traces", into(results.traces, read_trace));
  loader.each("models", into(results.models, read_model_info));
  loader.each("datasets", [&](const Fields& fields, const std::string& name) {
    for (Dataset& dataset : read_datasets(fields, name)) {
      results.datasets.push_back(std::move(dataset));
    }
  });
  return results;
}

}  // namespace nrs

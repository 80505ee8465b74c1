#include "learn/example_source.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "data/trace_file.h"
#include "learn/domain_source.h"
#include "nrs/domain.h"
#include "nrs/error.h"

namespace nrs {
namespace {

// Every trace file of a folder, in the order of their names.
std::vector<RewriteExample> read_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    const auto extension = entry.path().extension();
    if (extension == ".csv" || extension == ".jsonl") files.push_back(entry.path());
  }
  if (code) throw Error(ErrorKind::kIo, folder.string() + ": " + code.message());
  if (files.empty())
    throw Error(ErrorKind::kInput, folder.string() + ": no .csv or .jsonl file in it");
  std::sort(files.begin(), files.end());
  std::vector<RewriteExample> examples;
  for (const auto& file : files) {
    for (RewriteExample& example : read_trace_file(file)) examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace

std::unique_ptr<ExampleSource> make_source(const DataConfig& config, std::uint64_t seed) {
  if (!config.traces.empty()) return make_list_source(read_trace_file(config.traces), config);
  if (!config.folder.empty()) return make_list_source(read_folder(config.folder), config);
  std::vector<const Domain*> domains;
  for (const std::string& name : config.domains) domains.push_back(&find_domain(name));
  if (config.protocol == Protocol::kPaper) {
    return make_paper_source(std::move(domains), seed, /*threads=*/0);
  }
  std::vector<std::unique_ptr<ExampleSource>> sources;
  for (const Domain* domain : domains) sources.push_back(make_domain_source(*domain));
  return make_joint_source(std::move(sources));
}

}  // namespace nrs

#include "learn/examples/example_source.h"

#include <utility>

#include "data/trace_file.h"
#include "learn/examples/domain_source.h"
#include "nrs/domain.h"

namespace nrs {

std::unique_ptr<ExampleSource> make_source(const DataConfig& config, std::uint64_t seed) {
  if (!config.traces.empty()) return make_list_source(read_trace_file(config.traces), config);
  if (!config.folder.empty()) return make_folder_source(config.folder);
  std::vector<const Domain*> domains;
  for (const std::string& name : config.domains) domains.push_back(&find_domain(name));
  return config.protocol == Protocol::kFull ? make_domains_source(domains)
                                            : make_paper_source(std::move(domains), seed);
}

}  // namespace nrs

#pragma once
// nrs bulk run.
#include <cstddef>
#include <string>
#include <vector>

namespace nrs::cli {

struct BulkRunOptions {
  std::string folder;
  std::vector<std::string> tasks;
  bool all = false;
  std::size_t every = 0;  // 0: only the tasks themselves
  int jobs = 0;           // 0: as many as fit
};

int run_bulk(const BulkRunOptions& options);

}  // namespace nrs::cli

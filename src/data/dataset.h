#pragma once
// Writes the data of a protocol as CSV files, with their statistics.
#include <filesystem>

#include "data/protocol.h"

namespace nrs::data {

struct DatasetSummary {
  std::size_t files = 0;
  std::size_t rows = 0;
  std::size_t shared = 0;  // formulas found in two splits of one part; an error if not 0
};

// Below `folder`: selector/{train,valid_id,valid_ood,test}.csv, solver/{train,valid_id}.csv,
// test.csv and, last of all, stats.json. Each file appears when it is complete. `progress` is
// called for each group.
DatasetSummary write_dataset(const ProtocolRequest& request, const std::filesystem::path& folder,
                             const std::function<void(const DataGroup&)>& progress);

}  // namespace nrs::data

#pragma once
// The paper's data protocol: which formulas a model is trained, validated and tested on.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "data/example.h"
#include "nrs/domain.h"

namespace nrs::data {

enum class Protocol {
  kPaper,  // the paper's counts; the Solver sees some of the leaves
  kFull,   // the Solver sees every leaf and atom of the domain
};
constexpr auto enum_names(Protocol) {
  return std::to_array<EnumName<Protocol>>({
      {Protocol::kPaper, "paper"},
      {Protocol::kFull, "full"},
  });
}
enum class Part { kSelector, kSolver, kWhole };  // whole: formulas with their values
constexpr auto enum_names(Part) {
  return std::to_array<EnumName<Part>>({
      {Part::kSelector, "selector"},
      {Part::kSolver, "solver"},
      {Part::kWhole, "whole"},
  });
}
enum class Split { kTrain, kValidId, kValidOod, kTest };
constexpr auto enum_names(Split) {
  return std::to_array<EnumName<Split>>({
      {Split::kTrain, "train"},
      {Split::kValidId, "valid_id"},
      {Split::kValidOod, "valid_ood"},
      {Split::kTest, "test"},
  });
}

// The formula space of a protocol.
FormulaSpace space_of(Protocol protocol);

struct DataRow {
  RewriteExample example;
  std::string value;  // the value of the whole formula
};

// Examples of one difficulty. In training every group of a split is drawn from equally often,
// whatever its size.
struct DataGroup {
  Part part = Part::kSelector;
  Split split = Split::kTrain;
  const Domain* domain = nullptr;
  Shape shape;             // out of distribution: depth, and arguments of the last leaf
  int step = 0;            // rewrites of the last leaf since the formula was generated
  std::size_t wanted = 0;  // rows.size() is smaller if the domain has no more
  std::vector<DataRow> rows;
};

struct ProtocolRequest {
  std::vector<const Domain*> domains;
  Protocol protocol = Protocol::kPaper;
  std::uint64_t seed = 0;
  int threads = 1;       // does not change the data
  bool selector = true;  // whether to make the Selector's groups; the others do not depend on it
};

// Makes all groups, one after the other. No formula is in two splits of the same part, and no test
// formula is trained on (except for leaves that a full Solver must know). Within a split, groups
// may share formulas: logic has few of the small ones. Where a domain has fewer formulas of a
// difficulty than the paper wants, a tenth of them is for validation.
void make_protocol_data(const ProtocolRequest& request,
                        const std::function<void(DataGroup&&)>& take);

struct DatasetSummary {
  std::size_t files = 0;
  std::size_t rows = 0;
  std::size_t shared = 0;  // formulas found in two splits of one part; an error if not 0
};

// Writes them as CSV files below `folder`: selector/{train,valid_id,valid_ood,test}.csv,
// solver/{train,valid_id}.csv, test.csv and, last of all, stats.json. Each file appears when it is
// complete. `progress` is called for each group.
DatasetSummary write_dataset(const ProtocolRequest& request, const std::filesystem::path& folder,
                             const std::function<void(const DataGroup&)>& progress);

}  // namespace nrs::data

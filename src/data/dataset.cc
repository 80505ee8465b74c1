// A data set as files: one CSV file for each part and split, and what is in them.
#include "data/protocol.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/output_target.h"
#include "data/csv.h"
#include "data/distinct.h"
#include "data/paper_counts.h"

namespace nrs::data {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kOmega = "$";  // as in the authors' files

// One CSV file of the data set. Its rows and columns depend on what it is for.
class SplitFile {
 public:
  SplitFile(const std::filesystem::path& folder, Part part, Split split)
      : part_(part), file_(path(folder, part, split)) {
    file_.write(part == Part::kSelector
                    ? "X,Y,last_leaf,steps,nesting,num_operands,extra,domain,weight\n"
                    : "X,Y,nesting,num_operands,extra,domain,weight\n");
  }

  void add(const DataGroup& group) {
    const std::string common =
        fmt::format(",{},{},{},{},{:.9g}\n", group.shape.nesting, group.shape.args,
                    group.step == 0 ? "no" : fmt::format("s{}", group.step), group.domain->name(),
                    1.0 / static_cast<double>(group.rows.size()));
    for (const DataRow& row : group.rows) {
      line_.clear();
      append_csv_field(line_, row.example.formula);
      line_ += ',';
      if (part_ == Part::kSelector) {
        append_marks(row.example);
      } else if (part_ == Part::kSolver && row.example.final) {
        line_ += kOmega;
      } else {
        append_csv_field(line_, row.value);
      }
      line_ += common;
      file_.write(line_);
    }
  }

  void commit() { file_.commit(); }

 private:
  static std::filesystem::path path(const std::filesystem::path& folder, Part part, Split split) {
    const std::string name = fmt::format("{}.csv", enum_name(split));
    return part == Part::kWhole ? folder / name : folder / enum_name(part) / name;
  }

  // Mask, last leaf, and every leaf with its value: 1-7:20 8-13:-1
  void append_marks(const RewriteExample& example) {
    line_ += leaf_mask(example);
    line_ += ',';
    append_csv_field(line_, last_leaf(example));
    line_ += ',';
    if (example.final) {
      fmt::format_to(std::back_inserter(line_), "0-{}:{}", example.formula.size(), kOmega);
    }
    const char* separator = "";
    for (const Step& step : example.steps) {
      fmt::format_to(std::back_inserter(line_), "{}{}-{}:{}", separator, step.leaf.begin,
                     step.leaf.end, step.value);
      separator = " ";
    }
  }

  Part part_;
  AtomicFile file_;
  std::string line_;
};

// Counts what was written, and looks for formulas that are in two splits.
class Statistics {
 public:
  void add(const DataGroup& group) {
    Json& domain = domains_[std::string(group.domain->name())];
    Json& split = domain[std::string(enum_name(group.part))][std::string(enum_name(group.split))];
    if (split.is_null()) split = Json::object();
    split["rows"] = split.value("rows", std::size_t{0}) + group.rows.size();
    split["distinct"] = split.value("distinct", std::size_t{0}) + count_distinct(group);
    domain["groups"].push_back({{"part", enum_name(group.part)},
                                {"split", enum_name(group.split)},
                                {"nesting", group.shape.nesting},
                                {"num_operands", group.shape.args},
                                {"step", group.step},
                                {"wanted", group.wanted},
                                {"rows", group.rows.size()}});
  }

  std::size_t shared() const { return shared_; }

  std::string json(const ProtocolRequest& request) {
    Json stats = {{"protocol", enum_name(request.protocol)},
                  {"seed", request.seed},
                  {"shared_between_splits", shared_}};
    for (const Domain* domain : request.domains) {
      Json& entry = domains_[std::string(domain->name())];
      const PaperCounts& paper = paper_counts(*domain);
      entry["selector"]["train"]["paper"] = paper.published_selector_train;
      entry["selector"]["valid_id"]["paper"] = paper.published_selector_valid_id;
      entry["selector"]["valid_ood"]["paper"] = paper.published_selector_valid_ood;
      entry["solver"]["train"]["paper"] = paper.solver_train;
      entry["solver"]["valid_id"]["paper"] = paper.solver_valid;
      entry["whole"]["test"]["paper"] = paper.published_test;
      // Fixed order, the long list last.
      Json ordered;
      for (const char* key : {"selector", "solver", "whole", "groups"}) ordered[key] = entry[key];
      stats["domains"][std::string(domain->name())] = std::move(ordered);
    }
    return stats.dump(2) + "\n";
  }

 private:
  // Formulas that are new to the split; those that another split of the part has are noted.
  std::size_t count_distinct(const DataGroup& group) {
    auto& splits = seen_[group.part];
    std::size_t distinct = 0;
    for (const DataRow& row : group.rows) {
      const std::string& formula = row.example.formula;
      if (!splits[group.split].insert(formula)) continue;
      ++distinct;
      for (const auto& [split, texts] : splits) {
        if (split != group.split && texts.contains(formula)) ++shared_;
      }
    }
    return distinct;
  }

  std::map<std::string, Json> domains_;
  std::map<Part, std::map<Split, SeenTexts>> seen_;
  std::size_t shared_ = 0;
};

}  // namespace

DatasetSummary write_dataset(const ProtocolRequest& request, const std::filesystem::path& folder,
                             const std::function<void(const DataGroup&)>& progress) {
  make_output_folder(folder);
  AtomicFile stats_file(folder / "stats.json");
  std::map<std::pair<Part, Split>, std::unique_ptr<SplitFile>> files;
  Statistics statistics;
  DatasetSummary summary;
  make_protocol_data(request, [&](DataGroup&& group) {
    auto& file = files[{group.part, group.split}];
    if (!file) file = std::make_unique<SplitFile>(folder, group.part, group.split);
    file->add(group);
    statistics.add(group);
    summary.rows += group.rows.size();
    progress(group);
  });
  for (auto& [key, file] : files) file->commit();
  stats_file.write(statistics.json(request));
  stats_file.commit();
  summary.files = files.size() + 1;
  summary.shared = statistics.shared();
  return summary;
}

}  // namespace nrs::data

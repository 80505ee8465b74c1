#pragma once
// Bulk work: a long list of formulas, or of commands, as tasks that any number of machines may do
// in any order. A plan says what the tasks are; what has been done is seen from the files of its
// folder alone, so no engine has to be asked, and none is needed.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "bulk/content.h"

namespace nrs::bulk {

enum class PlanKind {
  kAnswers,   // a task answers the formulas of a shard
  kCommands,  // a task runs a command: a shard of one line
};
constexpr auto enum_names(PlanKind) {
  return std::to_array<EnumName<PlanKind>>({
      {PlanKind::kAnswers, "answers"},
      {PlanKind::kCommands, "commands"},
  });
}

struct PlannedInput {
  std::string file;   // "-": standard input
  Content content{};  // unpacked

  bool operator==(const PlannedInput&) const = default;
};

// What answers the formulas: a model, or a file of rules.
struct Source {
  std::string file;
  std::string checksum;

  bool operator==(const Source&) const = default;
};

struct Plan {
  std::string program{};  // that made it, with its version
  PlanKind kind = PlanKind::kAnswers;
  std::vector<std::string> options{};  // of simplify
  std::optional<Source> source{};      // nothing: exact rules, or commands
  std::vector<PlannedInput> inputs{};
  std::vector<Content> shards{};

  std::uint64_t lines() const { return lines_before(shards.size() + 1); }
  // Of the shards before this one.
  std::uint64_t lines_before(std::size_t task) const;
  bool operator==(const Plan&) const = default;
};

// The files of a plan. Tasks are numbered from 1.
class PlanFiles {
 public:
  explicit PlanFiles(const std::filesystem::path& folder)
      : folder_(std::filesystem::absolute(folder).lexically_normal()) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path plan() const { return folder_ / "plan.json"; }
  std::filesystem::path shards() const { return folder_ / "shards"; }
  std::filesystem::path done() const { return folder_ / "done"; }
  std::filesystem::path logs() const { return folder_ / "logs"; }
  std::filesystem::path locks() const { return folder_ / "locks"; }
  std::filesystem::path shard(std::size_t task) const { return shards() / name(task, ".txt"); }
  // What it printed, what is known of that, and why there is none.
  std::filesystem::path answers(std::size_t task) const { return done() / name(task, ".txt"); }
  std::filesystem::path record(std::size_t task) const { return done() / name(task, ".json"); }
  std::filesystem::path failure(std::size_t task) const { return done() / name(task, ".failed"); }

 private:
  static std::string name(std::size_t task, const char* extension);

  std::filesystem::path folder_;
};

// Throws Error: usage if there is no plan; input if the file is none, or one of another format.
Plan read_plan(const PlanFiles& files);
std::string to_text(const Plan& plan);

// Splits the inputs into shards of so many lines. The plan is written last: after an interruption
// there is none, and the next call begins anew. False if the same plan already exists.
// Throws Error: usage if another plan or something else is there, or if there are no lines; as
// read_input().
bool make_plan(const PlanFiles& files, std::uint64_t shard_lines, Plan& plan);

}  // namespace nrs::bulk

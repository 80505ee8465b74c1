#include "bulk/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/output_target.h"
#include "bulk/input.h"
#include "bulk/splitter.h"
#include "bulk/task_lock.h"
#include "nrs/error.h"

namespace nrs::bulk {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "nrs bulk 1";
constexpr std::size_t kLargestPlan = std::size_t{1} << 30;

Plan plan_of(const Json& json) {
  const auto kind = enum_value<PlanKind>(json.at("kind").get<std::string>());
  if (!kind) throw Error(ErrorKind::kInput, "the kind of the plan is unknown");
  Plan plan{.program = json.at("program"), .kind = *kind, .options = json.at("options")};
  if (json.contains("source")) {
    plan.source = Source{json["source"].at("file"), json["source"].at("checksum")};
  }
  for (const Json& input : json.at("inputs")) {
    plan.inputs.push_back({input.at("file"), content_of(input)});
  }
  for (const Json& shard : json.at("shards")) plan.shards.push_back(content_of(shard));
  return plan;
}

// Reads all inputs; with files they are also written as shards.
void split_inputs(Plan& plan, std::uint64_t shard_lines, const PlanFiles* files) {
  std::unique_ptr<AtomicFile> shard;
  Splitter splitter(shard_lines, {.on_text =
                                      [&](std::size_t number, std::string_view text) {
                                        if (files == nullptr) return;
                                        if (!shard) {
                                          shard =
                                              std::make_unique<AtomicFile>(files->shard(number));
                                        }
                                        shard->write(text);
                                      },
                                  .on_end =
                                      [&] {
                                        if (shard) shard->commit();
                                        shard.reset();
                                      }});
  for (PlannedInput& input : plan.inputs) {
    input.content = {};
    read_input(input.file, [&](std::string_view chunk) {
      input.content.add(chunk);
      splitter.take(chunk);
    });
    splitter.end_input();
  }
  plan.shards = splitter.finish();
  if (plan.shards.empty()) throw Error(ErrorKind::kUsage, "the input has no lines");
}

}  // namespace

std::uint64_t Plan::lines_before(std::size_t task) const {
  std::uint64_t lines = 0;
  for (std::size_t i = 0; i + 1 < task; ++i) lines += shards[i].lines;
  return lines;
}

std::string PlanFiles::name(std::size_t task, const char* extension) {
  return fmt::format("{:06}{}", task, extension);
}

std::string to_text(const Plan& plan) {
  Json json{{"format", kFormat},
            {"program", plan.program},
            {"kind", enum_name(plan.kind)},
            {"options", plan.options}};
  if (plan.source) {
    json["source"] = {{"file", plan.source->file}, {"checksum", plan.source->checksum}};
  }
  json["lines"] = plan.lines();
  json["inputs"] = Json::array();
  for (const PlannedInput& input : plan.inputs) {
    Json entry{{"file", input.file}};
    entry.update(to_json(input.content));
    json["inputs"].push_back(std::move(entry));
  }
  json["shards"] = Json::array();
  for (const Content& shard : plan.shards) json["shards"].push_back(to_json(shard));
  return json.dump(1) + "\n";
}

Plan read_plan(const PlanFiles& files) {
  const std::string path = files.plan().string();
  if (!fs::exists(files.plan())) {
    throw Error(ErrorKind::kUsage, path + ": there is no such file",
                "give the folder of a plan; nrs bulk plan makes one");
  }
  const std::string text = read_file(files.plan(), kLargestPlan);
  const auto refuse = [&](const std::string& reason) {
    return Error(ErrorKind::kInput, fmt::format("{}: not a plan: {}", path, reason));
  };
  try {
    const Json json = Json::parse(text);
    const std::string format = json.at("format");
    if (format != kFormat) {
      throw refuse(fmt::format("its format is '{}', this program reads '{}'", format, kFormat));
    }
    Plan plan = plan_of(json);
    if (plan.lines() != json.at("lines")) throw refuse("its lines do not add up");
    return plan;
  } catch (const Json::exception& error) {
    throw refuse(error.what());
  }
}

bool make_plan(const PlanFiles& files, std::uint64_t shard_lines, Plan& plan) {
  make_output_folder(files.folder());
  // Only what a plan has begun there may be removed.
  const bool strange = !fs::is_regular_file(files.locks()) &&
                       (fs::exists(files.shards()) || fs::exists(files.done()));
  if (strange) {
    throw Error(ErrorKind::kUsage, files.folder().string() + ": has files that belong to no plan",
                "choose another folder");
  }
  const TaskLock lock(files.locks(), 0);
  if (!lock.held()) {
    throw Error(ErrorKind::kUsage, files.folder().string() + ": another plan is being made there");
  }
  if (fs::exists(files.plan())) {
    split_inputs(plan, shard_lines, nullptr);
    if (read_plan(files) == plan) return false;
    throw Error(ErrorKind::kUsage,
                files.folder().string() +
                    ": has a plan for another input, other options, another model or version",
                "choose another folder, or delete this one");
  }
  // What an earlier attempt has left behind.
  for (const fs::path& folder : {files.shards(), files.done()}) {
    fs::remove_all(folder);
    make_output_folder(folder);
  }
  split_inputs(plan, shard_lines, &files);
  write_file(files.plan(), to_text(plan));
  return true;
}

}  // namespace nrs::bulk

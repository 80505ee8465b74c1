#pragma once
// Scripts that give the tasks of a plan to an engine: a Slurm array, or GNU parallel over ssh.
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/fields.h"
#include "bulk/plan.h"

namespace nrs::bulk {

enum class Engine { kSlurm, kSsh };
constexpr auto enum_names(Engine) {
  return std::to_array<EnumName<Engine>>({
      {Engine::kSlurm, "slurm"},
      {Engine::kSsh, "ssh"},
  });
}

struct Submission {
  Engine engine = Engine::kSlurm;
  std::filesystem::path program{};           // nrs, on all machines
  std::vector<std::string> slurm_options{};  // "--partition=short"
  std::string hosts = ":";                   // for parallel --sshlogin; ":" is this machine
};

// The usual limit of Slurm for the tasks of an array: each task does every so many-th of the plan.
inline constexpr std::size_t kLargestArray = 1000;

std::filesystem::path script_path(const PlanFiles& files, Engine engine);
// Writes the script of one engine, and removes that of the other.
void write_script(const PlanFiles& files, const Plan& plan, const Submission& submission);

// The command that submits these tasks to the engine whose script exists, except those that are in
// Slurm's queue; empty if none is left. Throws Error: usage if there is no script, I/O if
// Slurm cannot be asked.
std::vector<std::string> resubmission(const PlanFiles& files, const Plan& plan,
                                      std::vector<std::size_t> tasks);

}  // namespace nrs::bulk

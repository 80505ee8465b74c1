#include "cli/describe.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace nrs::cli {
namespace {

std::string describe_verb(const CLI::App& verb, const std::string& name) {
  std::string lines = fmt::format("{}\t\t\t{}\n", name, verb.get_description());
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_lnames().empty()) continue;
    const bool flag = option->get_items_expected_max() == 0;
    lines += fmt::format("{}\t--{}\t{}\t{}\n", name, option->get_lnames().front(),
                         flag ? "" : option->get_type_name(), option->get_description());
  }
  for (const CLI::App* part : verb.get_subcommands([](const CLI::App*) { return true; })) {
    lines += describe_verb(*part, name + " " + part->get_name());
  }
  return lines;
}

}  // namespace

std::string describe(const CLI::App& app) {
  std::string lines;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    const bool of_another_program = verb->get_prefix_command();
    if (!of_another_program) lines += describe_verb(*verb, verb->get_name());
  }
  return lines;
}

}  // namespace nrs::cli

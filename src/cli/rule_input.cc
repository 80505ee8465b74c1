#include "cli/rule_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "architectures/rule_model.h"
#include "cli/console.h"
#include "nrs/error.h"
#include "service/models.h"
#include "term/rule_file.h"

namespace nrs::cli {

// A model is a safetensors file: eight bytes of length, and then JSON.
bool is_rule_text(const std::string& argument) {
  const std::string path = as_given(argument);
  if (!std::filesystem::is_regular_file(path)) return false;  // a pipe would wait for a writer
  std::ifstream file(path, std::ios::binary);
  char first[9] = {};
  file.read(first, sizeof first);
  const bool model = file.gcount() == sizeof first && first[8] == '{';
  const bool text = std::none_of(first, first + file.gcount(), [](char c) { return c == 0; });
  return file.gcount() > 0 && !model && text;
}

std::string rule_path(const std::string& argument) {
  const std::string path = as_given(argument);
  const std::vector<std::string> names = service::model_names();
  const bool name = std::ranges::find(names, path) != names.end();
  return name && !std::filesystem::exists(path) ? service::find_model(path).string() : path;
}

RuleInput read_rule_input(const std::string& argument) {
  const std::string path = rule_path(argument);
  // What is neither is a rule file that cannot be read, and is told as such.
  if (!path.ends_with(".nrs") || is_rule_text(argument)) return {term::read_rule_file(path)};
  model::Model model = model::load_model(path);
  if (!model.has(architectures::kRulesModule)) {
    throw Error(ErrorKind::kInput, path + ": the model has no rules",
                "nrs learn makes models with rules, and nrs compile finds the rules of networks");
  }
  term::RuleSet rules = architectures::rule_set_of(model);
  return {std::move(rules), std::move(model)};
}

void refuse_number_rules(const RuleInput& input, const std::string& what) {
  if (input.rules.number_rules.empty()) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format(
          "{}: it has {} rules about numbers, such as {}", what, input.rules.number_rules.size(),
          to_string(input.rules.terms, input.rules.number_rules.front(), input.rules.notation)),
      "only the model itself can apply them; --format text shows all rules");
}

std::string without_number_rules(const term::RuleSet& rules) {
  return rules.number_rules.empty()
             ? ""
             : fmt::format("{} rules about numbers are left out", rules.number_rules.size());
}

}  // namespace nrs::cli

#include "cli/engine_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/models.h"
#include "nrs/error.h"

namespace nrs::cli {

namespace {

// One of the words, whose number is the value.
void add_word_setting(CLI::App& verb, const architectures::EngineSetting& setting,
                      const std::string& help, std::optional<std::int64_t>& value) {
  const std::vector<std::string> words(setting.words.begin(), setting.words.end());
  verb.add_option_function<std::string>(
          "--" + std::string(setting.name),
          [words, &value](const std::string& word) {
            value = std::ranges::find(words, word) - words.begin();
          },
          help)
      ->check(CLI::IsMember(words))
      ->default_str(std::string(setting.usual));
}

}  // namespace

architectures::RewriterOptions EngineChoice::options(int threads) const {
  architectures::RewriterOptions options{.threads = threads};
  for (const auto& [name, value] : settings) {
    if (value) options.settings[name] = *value;
  }
  return options;
}

architectures::RunningModel EngineChoice::load(const std::string& model, int threads) const {
  architectures::RunningModel running = load_to_run(model, options(threads));
  const std::string_view its_own = running.architecture().name();
  if (!engine.empty() && engine != its_own) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the architecture of model '{}' is {}, not {}", running.model().name,
                            its_own, engine),
                fmt::format("run it with --engine {}", its_own));
  }
  return running;
}

void add_engine_options(CLI::App& verb, EngineChoice& choice) {
  std::vector<std::string> names;
  std::string help;
  for (const architectures::Architecture* architecture : architectures::all_architectures()) {
    names.emplace_back(architecture->name());
    help += fmt::format("{}: {}; ", architecture->name(), architecture->purpose());
  }
  names.emplace_back("oracle");
  help += "oracle: exact rules, no model. Default: the one that the model was made for";
  verb.add_option("--engine", choice.engine, help)->check(CLI::IsMember(names));
  for (const architectures::Architecture* architecture : architectures::all_architectures()) {
    for (const architectures::EngineSetting& setting : architecture->settings()) {
      const std::string name(setting.name);
      const std::string what = fmt::format("with {}: {}", architecture->name(), setting.help);
      if (!setting.words.empty()) {
        add_word_setting(verb, setting, what, choice.settings[name]);
        continue;
      }
      verb.add_option("--" + name, choice.settings[name], what)
          ->check(CLI::Range(setting.least, setting.most))
          ->default_str(std::string(setting.usual));
    }
  }
}

}  // namespace nrs::cli

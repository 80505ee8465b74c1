// nrs info: what a model is, where it came from, and how good it is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "architectures/architecture.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/models.h"
#include "cli/options.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  std::string model;
  bool json = false;
  bool recipe = false;
};

Json describe(const std::string& path, const model::Model& model) {
  Json object = {{"file", path},       {"bytes", std::filesystem::file_size(path)},
                 {"name", model.name}, {"program", model.program},
                 {"seed", model.seed}, {"data_hash", model.data_hash}};
  object["checksum"] = model::model_checksum(model);
  for (const auto& [module, where] : model.shared) object["shared"][module] = where.file;
  object["domains"] = model.domains;
  object["protocol"] = model.protocol;
  object.update(architectures::architecture_of(model).describe(model));
  object["results"] = Json::parse(model.results);
  // Of another model it says nothing about this one.
  const bool its_own = model::has_own_certificate(model);
  object["certificate"] = its_own ? Json::parse(*model.certificate) : Json(nullptr);
  object["recipe"] = model.recipe;
  return object;
}

std::string line(std::string_view what, const std::string& value) {
  return fmt::format("{:<12} {}\n", what, value);
}

// Items behind a heading, as many in a line as fit; one that is too long for a line is broken.
std::string wrapped(std::string heading, const std::vector<std::string>& items) {
  constexpr std::size_t kWidth = 96;
  const std::size_t indent = heading.size();
  std::string text;
  std::string current = std::move(heading);
  if (items.empty()) current.resize(current.find_last_not_of(' ') + 1);
  const auto end_line = [&] {
    text += current + "\n";
    current.assign(indent, ' ');
  };
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (current.size() > indent && current.size() + 1 + item.size() > kWidth) end_line();
    if (current.size() > indent) current += ' ';
    for (const std::string_view character : characters(item)) {
      if (current.size() + character.size() > kWidth) end_line();
      current += character;
    }
  }
  return text + current + "\n";
}

bool is_plain(const Json& value) {
  return !value.is_structured();
}

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// {"algebra": {"missed": 1, "extra": 18, "first": [{...}]}} as a line "algebra  missed 1, extra 18"
// with a line for each of the first below it.
void show_part(const std::string& name, const Json& value, std::size_t indent, std::string& text) {
  const bool numbered = name.find_first_not_of("0123456789") == std::string::npos;
  const std::string heading = fmt::format("{:{}}{:<{}} ", "", indent, name, numbered ? 2 : 12);
  if (is_plain(value)) {
    text += wrapped(heading, {plain_text(value)});
    return;
  }
  std::vector<std::string> items;
  for (const auto& [key, part] : value.items()) {
    if (!is_plain(part)) continue;
    items.push_back(value.is_array() ? plain_text(part)
                                     : fmt::format("{} {}", key, plain_text(part)));
  }
  text += wrapped(heading, items);
  std::size_t number = 0;
  for (const auto& [key, part] : value.items()) {
    ++number;
    if (is_plain(part)) continue;
    show_part(value.is_array() ? fmt::format("{}", number) : key, part, indent + 2, text);
  }
}

void show_parts(const Json& object, std::string& text) {
  for (const auto& [key, part] : object.items()) show_part(key, part, 2, text);
}

std::string show(const Json& object, const model::Model& model) {
  std::string text = line("model", model.name);
  text += line("file", fmt::format("{} ({:.2f} MB)", object["file"].get<std::string>(),
                                   object["bytes"].get<double>() / 1e6));
  for (const auto& [module, where] : model.shared) {
    text += line("", fmt::format("its {} is in {}", module, where.file));
  }
  text += line("made by",
               fmt::format("{}, seed {}, data {}", model.program, model.seed, model.data_hash));
  if (const auto domains = model.domains; !domains.empty()) {
    text += line(
        "learnt from",
        fmt::format("{}{}", fmt::join(domains, ", "),
                    model.protocol == "paper" ? " (a part of the leaves, as in the paper)" : ""));
  }
  const architectures::Architecture& architecture = architectures::architecture_of(model);
  for (const architectures::InfoLine& part : architecture.summary(model))
    text += line(part.heading, part.text);
  text += "results\n";
  show_parts(object["results"], text);
  if (!architecture.verifiable() && object["certificate"].is_null()) return text;
  if (!model.certificate) return text + line("certificate", "none: see nrs verify");
  if (object["certificate"].is_null()) {
    return text +
           line("certificate", "none: the one in the file is of another model; see nrs verify");
  }
  text += "certificate\n";
  show_parts(object["certificate"], text);
  return text;
}

// The models at hand, one in a line. One that cannot be read is no reason not to show the others.
std::string list_models() {
  std::string text;
  for (const std::string& name : service::model_names()) {
    try {
      const std::filesystem::path path = service::find_model(name);
      const std::vector<std::string> domains = model::load_model(path).domains;
      text += fmt::format("{:<20} {:>5.2f} MB  {}\n", name,
                          static_cast<double>(std::filesystem::file_size(path)) / 1e6,
                          fmt::join(domains, ", "));
    } catch (const Error& error) {
      text += fmt::format("{:<20} {}\n", name, error.what());
    }
  }
  return text;
}

int run_info(const InfoOptions& options) {
  StandardOutput output;
  if (options.model.empty()) {
    const std::string models = list_models();
    if (models.empty()) throw Error(ErrorKind::kUsage, "no models came with this program");
    output.write(models);
    output.flush();
    return kDone;
  }
  const std::filesystem::path path = model_file(options.model);
  const model::Model model = model::load_model(path);
  const Json object = describe(path, model);
  if (options.recipe) {
    output.write(model.recipe);
  } else {
    output.write(options.json ? object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
                              : show(object, model));
  }
  output.flush();
  return kDone;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* verb = app.add_subcommand("info", "tell what a model is and where it came from");
  verb->add_option(
      "MODEL", options->model,
      "name of a model, such as multi, or its file; without it, all models are listed");
  verb->add_flag("--json", options->json, "everything, as one JSON object");
  verb->add_flag("--recipe", options->recipe, "the recipe that made it, as TOML");
  verb->footer("example: nrs info logic");
  verb->callback([options, &action] { action = [options] { return run_info(*options); }; });
}

}  // namespace nrs::cli

// nrs info: what a model is, where it came from, and how good it is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "cli/models.h"
#include "cli/options.h"
#include "model/json_config.h"
#include "model/model_file.h"
#include "model/provenance.h"
#include "nn/tensor_names.h"
#include "nrs/error.h"

namespace nrs {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  std::string model;
  bool json = false;
  bool recipe = false;
};

template <class Module>
int bits_of(const Module& module) {
  return module.half ? 16 : 32;
}

// How far a mark can see; for a Solver there is no such limit.
Json radius_of(const EncoderConfig& encoder) {
  const std::optional<int> radius = receptive_radius(encoder);
  return radius ? Json(*radius) : Json(nullptr);
}

Json describe(const SelectorModel& selector) {
  SelectorConfig config = selector.config;
  return {{"parameters", count_parameters(selector.weights)},
          {"weight_bits", bits_of(selector)},
          {"vocabulary", selector.tokens.size()},
          {"receptive_radius", radius_of(config.encoder)},
          {"config", JsonWriter::write(config)}};
}

Json describe(const SolverModel& solver) {
  SolverConfig config = solver.config;
  return {{"parameters", count_parameters(solver.weights)},
          {"weight_bits", bits_of(solver)},
          {"vocabulary", {{"input", solver.input.size()}, {"output", solver.output.size()}}},
          {"min_log_prob", solver.min_log_prob},
          {"config", JsonWriter::write(config)}};
}

Json describe(const RouterModel& router) {
  return {{"parameters", count_parameters(router.weights)},
          {"weight_bits", bits_of(router)},
          {"vocabulary", {{"input", router.input.size()}, {"output", router.output.size()}}},
          {"config", JsonWriter::write(router.config)}};
}

Json describe(const std::string& path, const Model& model) {
  Json object = {{"file", path},       {"bytes", std::filesystem::file_size(path)},
                 {"name", model.name}, {"program", model.program},
                 {"seed", model.seed}, {"data_hash", model.data_hash}};
  object["checksum"] = model_checksum(model);
  for (const auto& [module, where] : model.shared) object["shared"][module] = where.file;
  object["domains"] = model.domains;
  object["protocol"] = model.protocol;
  object["selector"] = model.selector ? describe(*model.selector) : Json(nullptr);
  object["solver"] = model.solver ? describe(*model.solver) : Json(nullptr);
  if (model.router) object["router"] = describe(*model.router);
  object["results"] = Json::parse(model.results);
  // Of another model it says nothing about this one.
  const bool its_own = has_own_certificate(model);
  object["certificate"] = its_own ? Json::parse(*model.certificate) : Json(nullptr);
  object["recipe"] = model.recipe;
  return object;
}

std::string line(std::string_view what, const std::string& value) {
  return fmt::format("{:<12} {}\n", what, value);
}

std::string show_encoder(const EncoderConfig& encoder) {
  std::string text =
      fmt::format("width {}, {} layers, {} heads, {}-norm, {}, positions: {}", encoder.dim,
                  encoder.layers, encoder.heads, enum_name(encoder.norm),
                  enum_name(encoder.activation), enum_name(encoder.positions));
  if (encoder.relative_slots) text += ", relative slots";
  if (const auto radius = receptive_radius(encoder))
    text += fmt::format(", sees {} tokens away", *radius);
  return text;
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

// What a Selector does.
std::string task_of(const SelectorModel& selector) {
  const SelectorConfig& config = selector.config;
  if (!config.writes()) return fmt::format("marks: {}", enum_name(config.marks));
  const std::string windows = selector.window_threshold > 0
                                  ? fmt::format("windows from {} tokens", selector.window_threshold)
                                  : "no windows";
  return fmt::format("writes the last leaf by {}, {} decoder layers, {}",
                     enum_name(config.writer.cross), config.writer.decoder.layers, windows);
}

std::string show_guard(const std::optional<LeafGuard>& guard) {
  if (!guard) return "any text";
  const LeafGuard::Table& table = guard->table();
  return table.width == LeafGuard::kWholeTexts
             ? "leaves and values that it was taught or that are made like those, and no other text"
             : fmt::format("texts whose parts of {} characters were all taught", table.width);
}

std::string show(const Json& object, const Model& model) {
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
  if (model.selector) {
    const SelectorConfig& config = model.selector->config;
    text += line("Selector",
                 fmt::format("{} parameters of {} bits, {} tokens, {}",
                             count_parameters(model.selector->weights), bits_of(*model.selector),
                             model.selector->tokens.size(), task_of(*model.selector)));
    text += line("", show_encoder(config.encoder));
  }
  if (model.solver) {
    const SolverConfig& config = model.solver->config;
    text += line(
        "Solver",
        fmt::format("{} parameters of {} bits, {} tokens in, {} out, {} decoder layers, writes {}",
                    count_parameters(model.solver->weights), bits_of(*model.solver),
                    model.solver->input.size(), model.solver->output.size(), config.decoder.layers,
                    enum_name(config.decoder.direction)));
    text += line("", show_encoder(config.encoder));
    text += line("answers", show_guard(model.solver->guard));
    text += line("threshold", fmt::format("{:.4g} (joint log-probability of a value)",
                                          model.solver->min_log_prob));
  }
  if (model.router) {
    const RouterConfig& config = model.router->config;
    text +=
        line("Router", fmt::format("{} parameters, {} tokens in, {} out, reads the value from {} "
                                   "column{}",
                                   count_parameters(model.router->weights),
                                   model.router->input.size(), model.router->output.size(),
                                   config.columns, config.columns == 1 ? "" : "s"));
    text += line("", fmt::format("width {}, one layer used {} times, {} heads", config.dim,
                                 config.layers_to_run(), config.heads));
  }
  text += "results\n";
  show_parts(object["results"], text);
  if (model.router) return text;  // it has no rules that could be verified
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
  for (const std::string& name : model_names()) {
    try {
      const std::filesystem::path path = find_model(name);
      const std::vector<std::string> domains = load_model(path).domains;
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
  const std::filesystem::path path = find_model(options.model);
  const Model model = load_model(path);
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

}  // namespace nrs

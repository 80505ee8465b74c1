// nrs info: what a model is, where it came from, and how good it is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "architectures/architecture.h"
#include "cli/models.h"
#include "cli/options.h"
#include "nrs/error.h"
#include "service/answerer.h"
#include "service/card.h"
#include "service/model_facts.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  std::string model;
  bool json = false;
  bool recipe = false;
  bool card = false;
  std::string results;
  std::string license = "unknown";
  std::string out;
};

std::string line(std::string_view what, const std::string& value) {
  return fmt::format("{:<12} {}\n", what, value);
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
        "learned from",
        fmt::format("{}{}", fmt::join(domains, ", "),
                    model.protocol == "paper" ? " (a part of the leaves, as in the paper)" : ""));
  }
  const architectures::Architecture& architecture = architectures::architecture_of(model);
  for (const architectures::InfoLine& part : architecture.summary(model))
    text += line(part.heading, part.text);
  text += "results\n";
  text += service::show_facts(object["results"]);
  if (!architecture.verifiable() && object["certificate"].is_null()) return text;
  if (!model.certificate) return text + line("certificate", "none: see nrs verify");
  if (object["certificate"].is_null()) {
    return text +
           line("certificate", "none: the one in the file is for another model; see nrs verify");
  }
  return text + "certificate\n" + service::show_facts(object["certificate"]);
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

std::string card(const InfoOptions& options, const std::filesystem::path& path,
                 const model::Model& model) {
  service::CardOptions how{.called = options.model, .license = options.license};
  if (!options.results.empty()) how.measured = service::measurements_of(model, options.results);
  return service::model_card(path, model, how);
}

std::string info(const InfoOptions& options) {
  if (options.model.empty()) {
    if (options.card) throw Error(ErrorKind::kUsage, "--card needs a model");
    const std::string models = list_models();
    if (models.empty()) throw Error(ErrorKind::kUsage, "no models came with this program");
    return models;
  }
  const std::filesystem::path path = model_file(options.model);
  const model::Model model = model::load_model(path);
  if (options.recipe) return model.recipe;
  if (options.card) return card(options, path, model);
  const Json object = service::model_facts(path, model);
  return options.json ? service::json_text(object, 2) + "\n" : show(object, model);
}

int run_info(const InfoOptions& options) {
  const std::string text = info(options);
  Output output(options.out);
  output.write(text);
  output.commit();
  return kDone;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<InfoOptions>(app, action, "info", run_info);
  verb->add_option("MODEL", options->model,
                   "name of a model, such as multi, or its file; default: list all models");
  CLI::Option* json = verb->add_flag("--json", options->json, "everything, as one JSON object");
  CLI::Option* recipe =
      verb->add_flag("--recipe", options->recipe, "the recipe that it was trained with, as TOML");
  CLI::Option* card =
      verb->add_flag("--card", options->card,
                     "a model card: a Markdown page with the metadata that model hubs read");
  card->excludes(json)->excludes(recipe);
  json->excludes(recipe);
  verb->add_option("--results", options->results,
                   "folder of results: the card shows the accuracies in FOLDER/eval/*.json")
      ->type_name("FOLDER")
      ->needs(card);
  verb->add_option("--license", options->license, "licence that the card names")->needs(card);
  verb->add_option("--out", options->out, "file to write; default: standard output");
  verb->footer("example: nrs info logic");
}

}  // namespace nrs::cli

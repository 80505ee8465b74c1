#include "serve/model_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "nrs/error.h"
#include "service/models.h"

namespace nrs::serve {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLargestFile = std::size_t{1} << 30;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// The settings that bound what one formula can take, where the architecture has such.
architectures::RewriterOptions bounded(const model::Model& model, int rule_megabytes) {
  constexpr std::string_view kMemory = "max-memory";
  architectures::RewriterOptions options;
  for (const auto& setting : architectures::architecture_of(model).settings()) {
    if (setting.name == kMemory) options.settings[std::string(kMemory)] = rule_megabytes;
  }
  return options;
}

}  // namespace

ServedModel::ServedModel(std::string name, fs::path file, bool taught, int rule_megabytes)
    : name_(std::move(name)),
      file_(std::move(file)),
      taught_(taught),
      rule_megabytes_(rule_megabytes) {
  const model::Model model = model::load_model(file_);
  architecture_ = architectures::architecture_of(model).name();
  domains_ = model.domains;
}

const service::Answerer& ServedModel::answerer() const {
  const std::lock_guard lock(loading_);
  if (!answerer_) {
    model::Model model = model::load_model(file_);
    const architectures::RewriterOptions options = bounded(model, rule_megabytes_);
    answerer_.emplace(architectures::RunningModel(std::move(model), options), service::Options{});
  }
  return *answerer_;
}

std::string ServedModel::describe(bool is_default, bool whole) const {
  Json object = {{"name", name_},
                 {"architecture", architecture_},
                 {"domains", domains_},
                 {"taught", taught_},
                 {"default", is_default}};
  if (whole) {
    const model::Model model = model::load_model(file_);
    object["parameters"] = model::count_parameters(model);
    object["made_by"] = model.program;
    object["seed"] = model.seed;
    Json summary = Json::array();
    for (const auto& line : architectures::architecture_of(model).summary(model)) {
      summary.push_back({{"heading", line.heading}, {"text", line.text}});
    }
    object["summary"] = std::move(summary);
    object["results"] = Json::parse(model.results);
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ServedModel::bytes() const {
  model::Model model = model::load_model(file_);
  if (model.shared.empty()) return read_file(file_, kLargestFile);
  model.shared.clear();
  return model::serialise_model(model);
}

bool is_model_name(std::string_view name) {
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kLongestName && is_letter_or_digit(name[0]) &&
         std::ranges::all_of(name, fits);
}

ModelStore::ModelStore(const std::vector<std::string>& names, int rule_megabytes)
    : rule_megabytes_(rule_megabytes) {
  for (const std::string& given : names) {
    const fs::path file = service::find_model(given);
    if (!is_model_name(file.stem().string())) {
      throw Error(ErrorKind::kUsage, file.string() + ": a model cannot be offered by this name",
                  "letters, digits, and after the first character . _ -; at most 64 characters");
    }
    add(std::make_shared<ServedModel>(file.stem().string(), file, false, rule_megabytes));
    if (default_.empty()) default_ = file.stem().string();
  }
  if (!names.empty()) return;
  for (const std::string& name : service::model_names()) {
    try {
      add(std::make_shared<ServedModel>(name, service::find_model(name), false, rule_megabytes));
    } catch (const Error&) {
      continue;  // nrs info says what is wrong with it
    }
  }
  default_ = service::kDefaultModel;
  if (!models_.contains(default_)) {
    throw Error(ErrorKind::kUsage, fmt::format("there is no model '{}'", default_),
                "name models with --model");
  }
}

void ModelStore::add(std::shared_ptr<const ServedModel> model) {
  const std::string name = model->name();
  if (!models_.emplace(name, std::move(model)).second) {
    throw Error(ErrorKind::kUsage, fmt::format("two models are called '{}'", name));
  }
}

std::shared_ptr<const ServedModel> ModelStore::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = models_.find(name.empty() ? default_ : name);
  return found == models_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const ServedModel>> ModelStore::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const ServedModel>> all;
  for (const auto& [name, model] : models_) all.push_back(model);
  return all;
}

void ModelStore::teach(const std::string& name, const fs::path& file) {
  auto model = std::make_shared<ServedModel>(name, file, true, rule_megabytes_);
  const std::lock_guard lock(mutex_);
  models_[name] = std::move(model);
}

void ModelStore::forget(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = models_.find(name);
  if (found != models_.end() && found->second->taught()) models_.erase(found);
}

}  // namespace nrs::serve

#include "report/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "model/json_config.h"
#include "nrs/error.h"
#include "report/check_format.h"
#include "report/texts.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFile = 16 << 20;
constexpr const char* kKinds[] = {"eval",      "timing",   "confidence", "training",
                                  "ablations", "datasets", "traces",     "models"};

const nlohmann::ordered_json& format_of(const std::string& kind) {
  static const auto formats = nlohmann::ordered_json::parse(report_texts::kFormats);
  return formats.at(kind == "timing" ? "eval" : kind);
}

// The files of one kind, by name.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(folder)) return files;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (code) {
    throw Error(ErrorKind::kIo,
                fmt::format("{}: cannot be listed: {}", folder.string(), code.message()));
  }
  std::ranges::sort(files);
  return files;
}

Json read_json(const std::filesystem::path& path) {
  return model::parse_json(read_file(path, kMaxFile), path.string());
}

Source read_source(const Json& document, const std::string& path) {
  if (document.is_object() && !document.contains("command")) {
    refuse_field(path + ": command", "is missing",
                 "an older nrs made this file: make it again with nrs reproduce");
  }
  check_format(document, format_of("source"), path);
  const auto text = [&](const char* name) {
    return maybe<std::string>(document, name).value_or("");
  };
  Source source{.command = text("command"),
                .program = text("program"),
                .machine = text("machine"),
                .model = text("model"),
                .checksum = text("model_checksum"),
                .engine = text("engine"),
                .seed = maybe<std::uint64_t>(document, "seed"),
                .parameters = maybe<std::uint64_t>(document, "parameters")};
  if (const auto recipe = maybe<Json>(document, "recipe")) {
    source.recipe = recipe->at("name");
    source.protocol = recipe->at("protocol");
    source.domains = recipe->at("domains");
    source.recipe_seed = recipe->at("seed").get<std::uint64_t>();
    // A number of a trained model can be made again only if one knows which model it was.
    if (source.checksum.empty()) refuse_field(path + ": model_checksum", "is missing");
    if (source.model.empty()) source.model = source.recipe;
  }
  return source;
}

// What `nrs info` prints is the model's own description, and names no command.
Source source_of_model(const Json& document) {
  const std::string name = document.at("name");
  return {.command = "nrs info --json " + name,
          .program = document.at("program"),
          .model = name,
          .checksum = document.at("checksum"),
          .recipe = name,
          .protocol = document.at("protocol"),
          .domains = document.at("domains"),
          .recipe_seed = document.at("seed").get<std::uint64_t>()};
}

void check_levels(const Json& document, const std::string& path) {
  if (document.value("interrupted", false)) {
    refuse_field(path + ": interrupted",
                 "this evaluation did not finish: delete the file and run it again");
  }
  const Json& levels = document.at("levels");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string place = fmt::format("{}: levels[{}].", path, i);
    const Counts counts = counts_of(levels[i]);
    std::uint64_t sum = counts.correct;
    for (const std::uint64_t wrong : counts.errors) sum += wrong;
    if (counts.answered > counts.formulas) {
      refuse_field(place + "answered", "is more than \"formulas\"");
    }
    if (counts.correct > counts.answered) {
      refuse_field(place + "correct", "is more than \"answered\"");
    }
    if (sum != counts.formulas) {
      refuse_field(place + "formulas", "is not the sum of \"correct\" and the classes of errors");
    }
  }
}

// Steps that were applied lie within the formula and one behind the other: they are drawn so.
void check_trace(const Json& document, const std::string& path) {
  const Json& rounds = document.at("derivation").at("trace");
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const std::size_t length = rounds[i].at("formula").get<std::string>().size();
    std::size_t before = 0;
    for (const Json& step : rounds[i].at("steps")) {
      if (!step.at("applied").get<bool>()) continue;
      const std::size_t begin = step.at("begin"), end = step.at("end");
      const std::string place = fmt::format("{}: derivation.trace[{}].", path, i);
      if (!step.contains("value") || !step.at("value").is_string()) {
        refuse_field(place + "value", "must be a text");
      }
      if (begin < before || begin >= end || end > length) {
        refuse_field(place + "begin",
                     "the leaf is not a part of the formula behind the one before");
      }
      before = end;
    }
  }
}

void check_columns(const Json& document, const std::string& path) {
  for (const auto& [name, domain] : document.at("domains").items()) {
    const Json& columns = domain.at("selector");
    for (const char* column : {"formulas", "confidence"}) {
      if (columns.at(column).size() == columns.at("characters").size()) continue;
      refuse_field(fmt::format("{}: domains.{}.selector.{}", path, name, column),
                   "must be as long as \"characters\"");
    }
  }
}

}  // namespace

const std::vector<ResultFile>& Results::of(const std::string& kind) const {
  static const std::vector<ResultFile> none;
  const auto found = kinds.find(kind);
  return found == kinds.end() ? none : found->second;
}

Counts& Counts::operator+=(const Counts& more) {
  formulas += more.formulas;
  correct += more.correct;
  answered += more.answered;
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] += more.errors[i];
  return *this;
}

double Counts::accuracy() const {
  return formulas == 0 ? 0 : static_cast<double>(correct) / static_cast<double>(formulas);
}

Counts counts_of(const Json& level) {
  Counts counts{.formulas = level.at("formulas"),
                .correct = level.at("correct"),
                .answered = level.at("answered")};
  for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
    counts.errors[i] = level.at(kErrorClasses[i]);
  }
  return counts;
}

ResultFile read_result(const std::string& kind, Json document, const std::string& path,
                       const std::string& file) {
  ResultFile result;
  if (kind != "models") result.source = read_source(document, path);
  check_format(document, format_of(kind), path);
  if (kind == "models") result.source = source_of_model(document);
  if (kind == "eval" || kind == "timing") check_levels(document, path);
  if (kind == "traces") check_trace(document, path);
  if (kind == "confidence") check_columns(document, path);
  result.source.file = file;
  result.data = std::move(document);
  return result;
}

Results load_results(const std::filesystem::path& folder) {
  const std::filesystem::path published = folder / "published.json";
  if (!std::filesystem::exists(published)) {
    throw Error(ErrorKind::kUsage, published.string() + ": there is no such file",
                "a folder of result files has it; see docs/report.md");
  }
  Results results{.published = read_json(published)};
  check_format(results.published, format_of("published"), published.string());
  for (const Json& row : results.published.at("domains")) {
    results.domains.push_back(
        {row.at("name"), row.at("title"), row.at("levels"), row.at("trained")});
  }
  for (const std::string kind : kKinds) {
    for (const auto& path : files_of(folder / kind)) {
      results.kinds[kind].push_back(
          read_result(kind, read_json(path), path.string(), kind + "/" + path.filename().string()));
    }
  }
  return results;
}

}  // namespace nrs::lab

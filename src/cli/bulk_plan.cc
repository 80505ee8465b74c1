#include "cli/bulk_tasks.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/process.h"
#include "cli/models.h"
#include "model/model_file.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

AnsweringOptions with_full_names(AnsweringOptions options) {
  if (!options.rules.empty()) options.rules = absolute(options.rules);
  if (!options.rules.empty() && !options.model.empty()) options.model = options.rules;
  const std::string model = options.model_or_default();
  if (!model.empty()) options.model = absolute(model_file(model).string());
  return options;
}

// The words of those options that simplify has, too.
std::vector<std::string> answering_words(const CLI::App& verb) {
  CLI::App known;
  AnsweringOptions unused;
  add_answering_options(known, unused);
  std::vector<std::string> words = given_words(verb);
  std::erase_if(words, [&](const std::string& word) {
    return known.get_option_no_throw(word.substr(0, word.find('='))) == nullptr;
  });
  return words;
}

// Files by their full names, for whoever runs the tasks may be in another folder.
std::vector<std::string> full_words(std::vector<std::string> words, const AnsweringOptions& full) {
  std::erase_if(words, [](const std::string& word) {
    return word.starts_with("--model=") || word.starts_with("--rules=");
  });
  if (!full.model.empty()) {
    words.push_back("--model=" + full.model);
  } else if (!full.rules.empty()) {
    words.push_back("--rules=" + full.rules);
  }
  return words;
}

void tell(const bulk::PlanFiles& files, const bulk::Plan& plan, bool made) {
  complain(fmt::format("{}: {} tasks, {} lines{}", files.plan().string(), plan.shards.size(),
                       plan.lines(), made ? "" : "; the plan already exists"));
}

}  // namespace

AnsweringOptions answering_of(const bulk::Plan& plan) {
  CLI::App parser;
  AnsweringOptions options;
  add_answering_options(parser, options);
  std::vector<std::string> words = plan.options;
  std::reverse(words.begin(), words.end());
  try {
    parser.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kInput, fmt::format("the options of the plan: {}", error.what()));
  }
  return options;
}

std::optional<bulk::Source> source_of(const AnsweringOptions& options,
                                      const service::Answerer& answerer) {
  if (!options.rules.empty()) {
    return bulk::Source{options.rules,
                        fmt::format("{:08x}", bulk::read_content(options.rules).crc)};
  }
  if (answerer.model() == nullptr) return std::nullopt;
  return bulk::Source{options.model, model::model_checksum(answerer.model()->model())};
}

int plan_bulk(const CLI::App& verb, const BulkPlanOptions& options) {
  const bulk::PlanFiles files(options.folder);
  bulk::Plan plan{.program = "nrs " NRS_VERSION};
  if (options.commands) {
    plan.kind = bulk::PlanKind::kCommands;
    if (!answering_words(verb).empty() || verb.count("--shard-lines") > 0) {
      throw Error(ErrorKind::kUsage, "--commands are run unchanged, one per task",
                  "leave out --shard-lines, and options that say how formulas are answered");
    }
  } else {
    const AnsweringOptions answering = with_full_names(options.answering);
    std::vector<std::string> none;
    plan.source = source_of(answering, make_answerer(answering, 1, none));
    plan.options = full_words(answering_words(verb), answering);
  }
  for (const std::string& input : options.inputs) {
    plan.inputs.push_back({input == "-" ? input : absolute(as_given(input))});
  }
  const bool made = bulk::make_plan(files, options.commands ? 1 : options.shard_lines, plan);
  tell(files, plan, made);
  if (options.submit.empty()) return kDone;
  bulk::Submission submission = options.submission;
  submission.engine = *enum_value<bulk::Engine>(options.submit);
  submission.program = service::program_folder() / "nrs";
  bulk::write_script(files, plan, submission);
  const std::string script = bulk::script_path(files, submission.engine).string();
  print(submission.engine == bulk::Engine::kSlurm
            ? shell_line(std::vector<std::string>{"sbatch", script}) + "\n"
            : shell_line(std::vector<std::string>{script}) + "\n");
  return kDone;
}

}  // namespace nrs::cli

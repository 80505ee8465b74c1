// nrs baseline llm: how many formulas a language model behind a chat endpoint gets right.
#include "verbs/verbs.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <set>

#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/text.h"
#include "baseline/llm_run.h"
#include "cli/question_options.h"
#include "eval/eval_report.h"
#include "nrs/error.h"

namespace nrs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct LlmOptions : QuestionOptions {
  std::string endpoint;
  std::string model;
  std::string protocol{name_of(ChatProtocol::kChainOfThought)};
  int samples = 0;  // 0: the protocol's
  std::vector<std::string> fields;
  std::string key_from = "NRS_API_KEY";
  HttpOptions http;
  Patience patience;
  int parallel = 1;
  std::string record;
  bool resume = false;
  std::string replay;
  bool json = false;
};

// The key is read here and given to the connection, and to nothing else.
std::string read_key(const std::string& variable) {
  const char* value = std::getenv(variable.c_str());
  const std::string key = value == nullptr ? "" : value;
  const auto printable = [](char c) { return c > ' ' && c < '\x7f'; };
  if (!std::all_of(key.begin(), key.end(), printable)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} holds blanks or other characters that no key has", variable),
                "is there a line end in it?");
  }
  return key;
}

std::string file_name(const LlmOptions& options) {
  std::string name = "llm-" + options.model;
  if (!options.domain.empty()) name += "-" + options.domain;
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!plain && c != '.' && c != '_') c = '-';
  }
  return name + ".jsonl";
}

void require(const std::string& value, const char* option, const char* hint) {
  if (value.empty()) {
    throw Error(ErrorKind::kUsage, fmt::format("{} is missing", option), hint);
  }
}

InterviewSettings settings_of(const LlmOptions& options) {
  InterviewSettings settings;
  settings.model.name = options.model;
  for (const std::string& field : options.fields) add_field(settings.model.fields, field);
  settings.protocol = protocol_of(options.protocol);
  settings.samples = samples_of(settings.protocol);
  if (options.samples > 0) {
    if (settings.protocol != ChatProtocol::kSelfConsistency) {
      throw Error(ErrorKind::kUsage, "--samples needs --protocol self-consistency");
    }
    settings.samples = options.samples;
  }
  settings.endpoint = options.endpoint;
  if (!options.data.empty()) {
    settings.questions = {{"data", options.data}, {"domain", options.domain}};
  } else {
    settings.questions = {{"domain", options.domain},
                          {"nesting", options.nesting},
                          {"args", options.args},
                          {"count", options.count},
                          {"seed", options.seed}};
  }
  return settings;
}

// Each formula once: a record knows replies by formula.
std::vector<Question> gather(const LlmOptions& options) {
  std::vector<Question> questions;
  std::set<std::pair<const Domain*, std::string>> seen;
  const auto take = [&](Question&& question) {
    if (seen.emplace(question.domain, question.formula).second) {
      questions.push_back(std::move(question));
    }
  };
  if (options.data.empty()) {
    require(options.domain, "--domain", "or give formulas with --data");
    generate(find_domain(options.domain), options, FormulaSpace::kPaper, /*threads=*/1, take);
  } else if (options.domain.empty()) {
    read_questions(options.data, all_domains(), take);
  } else {
    const Domain* domain = &find_domain(options.domain);
    read_questions(options.data, {&domain, 1}, take);
  }
  return questions;
}

class Baseline {
 public:
  explicit Baseline(const LlmOptions& options) : options_(options) {}

  int run() {
    if (!options_.replay.empty()) return run_replay();
    std::signal(SIGPIPE, SIG_IGN);  // a connection that breaks is an error, not the end
    require(options_.endpoint, "--endpoint",
            "such as http://127.0.0.1:8080/v1; or --replay the record of an earlier run");
    require(options_.model, "--model", "the name that the endpoint knows it by");
    LlmRun run{settings_of(options_), gather(options_), options_.http, options_.patience,
               options_.parallel};
    run.http.key = read_key(options_.key_from);
    run.http.url = chat_url(options_.endpoint, !run.http.key.empty());
    record_ = options_.record.empty() ? file_name(options_) : options_.record;
    RecordFile file = open_file();
    const Record known = open_record(run.settings, file);
    return ask(run, known, file);
  }

 private:
  int run_replay() {
    if (!options_.endpoint.empty() || options_.resume || !options_.record.empty()) {
      throw Error(ErrorKind::kUsage,
                  "--replay cannot be used with --endpoint, --record or --resume");
    }
    const Record record = read_record(options_.replay);
    record_ = options_.replay;
    const auto scores = replay(record);
    print(record.settings, scores);
    const std::size_t failed = scores.total().failed;
    if (failed == 0) return kDone;
    complain(fmt::format("{}: {} formula{} without an answer: the run was interrupted, or gave up",
                         record_, failed, failed == 1 ? "" : "s"));
    return static_cast<int>(ErrorKind::kIo);
  }

  RecordFile open_file() const {
    try {
      return RecordFile(record_, options_.resume && fs::exists(record_));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUsage || options_.resume) throw;
      throw error.with_hint("--resume continues it, --record names another file");
    }
  }

  Record open_record(const InterviewSettings& settings, RecordFile& file) const {
    if (file.empty()) {
      file.write(to_json(settings));
      return {};
    }
    Record known = read_record(record_);
    const std::string differs = difference(known.settings, settings);
    if (!differs.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: this is the record of another run: {}", record_, differs),
                  "--record names another file");
    }
    return known;
  }

  int ask(const LlmRun& run, const Record& known, RecordFile& file) {
    notice_interrupts();
    LlmWatch watch;
    watch.stop = [] { return interrupted() != 0; };
    watch.on_progress = [&](const LlmScores& so_far, const std::string& trouble) {
      show_progress(so_far, run.questions.size(), trouble);
    };
    const LlmEnd end = run_llm(run, known, file, watch);
    status_.clear();
    print(run.settings, end.scores);
    if (interrupted() != 0) {
      complain(
          fmt::format("interrupted; {} has all replies so far: continue with --resume", record_));
      return 128 + interrupted();
    }
    const std::size_t failed = end.scores.total().failed;
    if (!end.given_up.empty()) {
      complain(fmt::format("gave up: {} (--resume continues with {})", end.given_up, record_));
    } else if (failed > 0) {
      complain(
          fmt::format("{} formulas failed, the last one because: {} (--resume asks them again)",
                      failed, end.failure));
    }
    return end.given_up.empty() && failed == 0 ? kDone : static_cast<int>(ErrorKind::kIo);
  }

  void show_progress(const LlmScores& so_far, std::size_t all, const std::string& trouble) {
    if (!status_.due()) return;
    const LlmTally total = so_far.total();
    const std::string line =
        fmt::format("{} of {} formulas, {} % right", total.formulas() + total.failed, all,
                    show_percent(total.right, total.formulas()));
    status_.show(trouble.empty() ? line : fmt::format("{}; {}", line, excerpt(trouble, 60)));
  }

  void print(const InterviewSettings& settings, const LlmScores& scores) const {
    StandardOutput output;
    if (options_.json) {
      const Json json = to_json(settings, record_, scores);
      output.write(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    } else {
      output.write(to_table(settings, scores));
    }
    output.flush();
  }

  const LlmOptions& options_;
  std::string record_;
  StatusLine status_{stderr, errors_are_terminal()};
};

void declare_connection(CLI::App& verb, LlmOptions& options) {
  verb.add_option("--endpoint", options.endpoint,
                  "address of a chat server with OpenAI's interface")
      ->type_name("URL");
  verb.add_option("--model", options.model, "name of the model there");
  verb.add_option("--key-from", options.key_from,
                  "environment variable with the key, if one is needed")
      ->type_name("VARIABLE")
      ->capture_default_str();
  verb.add_option(
          "--field", options.fields,
          "another field of each request, such as temperature=0.7; can be given several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--parallel", options.parallel, "number of requests that are sent at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  verb.add_option("--timeout", options.http.timeout, "seconds until a request is given up")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
  verb.add_option("--tries", options.patience.tries,
                  "number of times a request is sent before its formula is given up")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb.add_option("--wait", options.patience.first_wait,
                  "seconds before the second try, doubled for each further try unless the server "
                  "names a time")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
}

}  // namespace

void add_baseline_llm(CLI::App& app, Action& action) {
  auto options = std::make_shared<LlmOptions>();
  CLI::App* verb = app.add_subcommand("llm", "ask a language model");
  declare_connection(*verb, *options);
  verb->add_option("--protocol", options->protocol, "how the model is asked")
      ->check(CLI::IsMember({"vanilla", "chain-of-thought", "self-consistency"}))
      ->capture_default_str();
  verb->add_option("--samples", options->samples,
                   "with self-consistency: answers to each formula; the most common one wins [10]")
      ->check(CLI::Range(1, 1000));
  add_question_options(*verb, *options, "");
  verb->add_option("--record", options->record,
                   "file for every request and reply, as JSON lines [llm-MODEL-DOMAIN.jsonl]")
      ->type_name("FILE");
  verb->add_flag("--resume", options->resume, "continue the record of an earlier run");
  verb->add_option("--replay", options->replay, "show the scores of a record, and send nothing")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "one JSON object");
  verb->footer(
      "The key is read only from the environment and is never written anywhere.\n"
      "Ctrl-C ends the run. --resume then asks only what is missing.\n"
      "docs/baselines.md describes the prompts, and how answers are read and counted.\n"
      "example: nrs baseline llm --endpoint http://127.0.0.1:8080/v1 --model tiny --domain listops "
      "--nesting 1-4 --count 20");
  verb->callback([options, &action] { action = [options] { return Baseline(*options).run(); }; });
}

}  // namespace nrs

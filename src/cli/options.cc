#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>

#include "base/process.h"
#include "base/text.h"
#include "base/usage.h"
#include "cli/verbs.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

// The verb that was recognised, in full, or the program itself.
const CLI::App& active(const CLI::App& app) {
  const std::vector<CLI::App*> verbs = app.get_subcommands();
  return verbs.empty() ? app : active(*verbs.front());
}

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

std::vector<std::string> known_words(const CLI::App& app, bool options) {
  std::vector<std::string> words;
  if (options) {
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
  } else {
    for (const CLI::App* verb : verbs_of(app)) words.push_back(verb->get_name());
  }
  return words;
}

// A line for a verb and one for each of its options: verb, option (empty: the verb itself), what it
// takes (empty: nothing), and what it is for, with tabs between them.
std::string describe(const CLI::App& verb, const std::string& name) {
  std::string lines = fmt::format("{}\t\t\t{}\n", name, verb.get_description());
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_lnames().empty()) continue;
    lines +=
        fmt::format("{}\t--{}\t{}\t{}\n", name, option->get_lnames().front(),
                    is_flag(*option) ? "" : option->get_type_name(), option->get_description());
  }
  for (const CLI::App* part : verbs_of(verb))
    lines += describe(*part, name + " " + part->get_name());
  return lines;
}

// Those of other programs are described by these.
std::string describe_own_verbs(const CLI::App& app) {
  std::string lines;
  for (const CLI::App* verb : verbs_of(app)) {
    if (!verb->get_prefix_command()) lines += describe(*verb, verb->get_name());
  }
  return lines;
}

TypeOf types_of(const CLI::App& verb) {
  return [&verb](const std::string& name) {
    const CLI::Option* option = verb.get_option_no_throw(name);
    return option == nullptr ? std::string() : option->get_type_name();
  };
}

const char* purpose_of(std::string_view name) {
  for (const VerbName& verb : kVerbs) {
    if (verb.name == name) return verb.purpose;
  }
  throw std::logic_error("a verb that is not in the list");
}

// Nobody has to be told that a list is empty if nothing is given.
void hide_empty_defaults(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_default_str() == "[]") option->default_str("");
  }
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) {
    hide_empty_defaults(*verb);
  }
}

bool wants_verb(const CLI::App& app) {
  return app.get_require_subcommand_min() > 0;
}

[[noreturn]] void fail_unknown(const CLI::App& app) {
  const CLI::App& verb = active(app);
  const std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  const std::string extra = extras.empty() ? "" : as_given(extras.front());
  const std::string word = extra.substr(0, extra.find('='));
  const bool option = word.starts_with('-');
  const bool no_verb = wants_verb(verb) && !option;
  const std::string close = nearest(word, known_words(verb, option));
  throw Error(ErrorKind::kUsage,
              fmt::format("unknown {} '{}'",
                          no_verb  ? "verb"
                          : option ? "option"
                                   : "argument",
                          excerpt(word)),
              close.empty() ? "see --help" : fmt::format("did you mean {}?", close));
}

}  // namespace

CLI::App* add_verb(CLI::App& app, const char* name, const char* purpose) {
  CLI::App* verb = app.add_subcommand(name, purpose == nullptr ? purpose_of(name) : purpose);
  verb->option_defaults()->always_capture_default();
  return verb;
}

void on_call(CLI::App& verb, Action& action, Action what) {
  verb.callback([&action, what = std::move(what)] { action = what; });
}

IntRange parse_range(const std::string& text, const std::string& option, IntRange allowed) {
  const auto fail = [&] [[noreturn]] () {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: '{}' is not a number or a range", option, excerpt(text)),
                fmt::format("such as {} or {}-{}, within {}-{}", allowed.from, allowed.from,
                            std::min(allowed.from + 3, allowed.to), allowed.from, allowed.to));
  };
  const std::size_t dash = text.find('-');
  const auto number = [&](std::string_view part) {
    int parsed = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), parsed);
    if (code != std::errc{} || end != part.data() + part.size()) fail();
    return parsed;
  };
  const std::string_view view = text;
  const IntRange range{number(view.substr(0, dash)),
                       number(dash == std::string::npos ? view : view.substr(dash + 1))};
  if (range.from > range.to || range.from < allowed.from || range.to > allowed.to) fail();
  return range;
}

CLI::Option* add_model_option(CLI::App& verb, std::string& model, const char* name) {
  return verb.add_option(name, model, "name of a model (nrs info lists them), or its file");
}

void add_threads_option(CLI::App& verb, int& threads, const char* help) {
  verb.add_option("--threads", threads, help)->check(CLI::Range(0, 1024));
}

std::vector<std::string> given_words(const CLI::App& verb) {
  std::vector<std::string> words;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_lnames().empty() ? "" : "--" + option->get_lnames()[0];
    for (const std::string& value : option->results()) {
      words.push_back(is_flag(*option) ? name : name + (name.empty() ? "" : "=") + as_given(value));
    }
  }
  return words;
}

int run_command_line(CLI::App& app, std::vector<std::string> arguments, const Action& action) {
  if (arguments == std::vector<std::string>{"--describe"}) {
    std::fputs(describe_own_verbs(app).c_str(), stdout);
    return kDone;
  }
  hide_empty_defaults(app);
  for (std::string& argument : arguments) hide(argument);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    if (wants_verb(active(app)) && !app.remaining(/*recurse=*/true).empty()) fail_unknown(app);
    std::fputs(app.help().c_str(), stdout);
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    std::puts(version.what());
    return kDone;
  } catch (const CLI::ExtrasError&) {
    fail_unknown(app);
  } catch (const CLI::RequiredError& error) {
    if (!app.remaining(/*recurse=*/true).empty()) fail_unknown(app);
    const bool no_verb = wants_verb(active(app));
    if (no_verb) throw Error(ErrorKind::kUsage, "a verb is missing", "see --help");
    throw usage_error(error.what(), types_of(active(app)));
  } catch (const CLI::ParseError& error) {
    throw usage_error(error.what(), types_of(active(app)));
  }
  return action();
}

int run_program(const std::string& purpose, std::initializer_list<AddVerb> verbs, int argc,
                char** argv) {
  return nrs::run_program("nrs", [&] {
    CLI::App app(purpose, "nrs");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    Action action;
    for (const AddVerb add : verbs) add(app, action);
    return run_command_line(app, {argv + 1, argv + argc}, action);
  });
}

}  // namespace nrs::cli

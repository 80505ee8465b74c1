#pragma once
// An architecture: what a model of it consists of, how it becomes a Rewriter, and what is said of
// it. Everything particular to an architecture is behind this interface, in a file of its own;
// docs/extending.md shows how one is added.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model_file.h"
#include "nrs/rewriter.h"
#include "rewrite/modular.h"

namespace nrs::architectures {

// A choice that an architecture offers whoever runs its models.
struct EngineSetting {
  std::string_view name;  // "window-threshold"
  std::string_view help;
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::string_view usual{};                   // what is shown as the default; empty: `help` says it
  std::span<const std::string_view> words{};  // not empty: the value is the number of one of these
};

// How a Rewriter works, but for what it answers.
struct RewriterOptions {
  int threads = 1;       // for one call; more than 1 pays for long formulas and large batches
  bool remember = true;  // what the modules have answered, to answer it again
  bool unaided = false;  // only what the networks say first: nothing helps out where they fail
  std::filesystem::path file{};  // of the model: modules that it shares with others are beside it
  std::map<std::string, std::int64_t, std::less<>> settings{};  // by name; unset: the usual ones

  // Nothing unless it was set.
  std::optional<std::int64_t> setting(std::string_view name) const;
};

// One line of `nrs info`; without a heading it goes on with what is above it.
struct InfoLine {
  std::string heading;
  std::string text;
};

// How most Rewriters work, for cards.
inline constexpr std::string_view kByLeaves =
    "It finds the parts of a formula that have a value (*leaves*), replaces them by their values, "
    "and goes on until nothing is left to do.";

// What the card of a model says about models of its architecture (service/card.h).
struct CardNotes {
  std::string how{};                   // how it rewrites, in sentences
  std::vector<std::string> learned{};  // what it learned, if people can read that: one in a line
  std::vector<std::string> limits{};   // what to beware of, each a sentence
};

// What has to be known of a model to compile it, besides what its modules answer.
struct Compilable {
  std::string hindrance{};  // why it cannot be; empty: it can
  // In order: all texts that its Solver knows, or those that it is worth asking it about; nothing
  // if only the domains of the model can tell.
  std::optional<std::vector<std::string>> leaves{};
  bool complete = false;  // it knows no others
  rewrite::Habits habits{};
  std::vector<std::string> kept{};  // modules that are needed where the tables have no answer
};

// Const and thread-safe.
class Architecture {
 public:
  virtual ~Architecture() = default;

  // The word by which files and options call it.
  virtual std::string_view name() const = 0;
  // What it does with a formula, in a few words.
  virtual std::string_view purpose() const = 0;
  virtual std::span<const EngineSetting> settings() const { return {}; }

  // Whether a model without the name of an architecture is of this one.
  virtual bool recognises(const model::Model& /*model*/) const { return false; }
  // Throws Error (input) unless the model can be run: all modules are there and hold together. The
  // Rewriter does not need `model` any longer.
  virtual std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                        const RewriterOptions& options) const = 0;

  // Whether its Rewriters read modules that are in other files only when they need them. Its models
  // name their architecture.
  virtual bool reads_late() const { return false; }

  // Whether its models are made of other models and answer what those answer: nobody measures them
  // by themselves.
  virtual bool answers_like_another() const { return false; }

  // Whether its models can be verified: their Rewriters are modular.
  virtual bool verifiable() const { return true; }
  // Whether a model learnt from formulas of the paper's generator only.
  virtual bool paper_formulas(const model::Model& model) const { return model.protocol == "paper"; }

  virtual Compilable compilable(const model::Model& model) const;

  // What its modules are, for programs and for people.
  virtual nlohmann::ordered_json describe(const model::Model& model) const = 0;
  virtual std::vector<InfoLine> summary(const model::Model& model) const = 0;
  // Only its purpose, unless there is more to say.
  virtual CardNotes card(const model::Model& model) const;
};

// Those that the program has.
std::span<const Architecture* const> all_architectures();
// For one that is defined elsewhere. Not while others are asking; it must live as long as they do.
void register_architecture(const Architecture& architecture);
// Throws Error (input) if the program has no such architecture.
const Architecture& architecture_of(const model::Model& model);

// Throws Error (usage) if there are settings that the architecture does not have.
void check_settings(const Architecture& architecture, const RewriterOptions& options);

// Those that come with the program, each in a file of its own.
const Architecture& fastnrs_architecture();
const Architecture& nrs_architecture();
const Architecture& ndr_architecture();
const Architecture& compiled_architecture();
const Architecture& patterns_architecture();
const Architecture& rules_architecture();

// A model file, loaded and ready to rewrite formulas. Const and thread-safe.
class RunningModel {
 public:
  // Throws Error: (input) if the model cannot be run, (usage) for settings that it does not have.
  explicit RunningModel(model::Model model, const RewriterOptions& options = {});
  // Modules in other files that are needed late, if at all, are not in model().
  static RunningModel load(const std::filesystem::path& path, const RewriterOptions& options = {});

  const model::Model& model() const { return model_; }
  const Architecture& architecture() const { return *architecture_; }
  const Rewriter& rewriter() const { return *rewriter_; }
  // Its modules. Throws Error (usage) if its Rewriter has none.
  const rewrite::ModularRewriter& modular() const;

 private:
  model::Model model_;
  const Architecture* architecture_;
  std::unique_ptr<const Rewriter> rewriter_;
};

}  // namespace nrs::architectures

#include "service/card.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "architectures/architecture.h"
#include "base/rng.h"
#include "nrs/domain.h"
#include "service/answerer.h"
#include "service/model_facts.h"

namespace nrs::service {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::string_view kTask = "text2text-generation";

double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

// A formula of each domain that the model was trained on, the same each time.
Sample sample_of(const std::string& domain) {
  Rng rng(1, 0);
  Sample sample;
  find_domain(domain).generate({.nesting = 2, .args = 2}, rng, sample);
  return sample;
}

class Card {
 public:
  Card(const fs::path& file, const model::Model& model, const CardOptions& options)
      : model_(model),
        options_(options),
        facts_(model_facts(file, model)),
        architecture_(architectures::architecture_of(model)),
        notes_(architecture_.card(model)) {}

  std::string text() const {
    return head() + what() + taught() + results() + certificate() + limits() + use();
  }

 private:
  bool of_domains() const { return !model_.domains.empty(); }

  // JSON is valid in YAML, whatever is in it.
  static std::string score(std::string_view data, std::string_view name, double accuracy) {
    return fmt::format(
        "  - task:\n      type: {}\n      name: Simplification of formulas\n"
        "    dataset:\n      type: {}\n      name: {}\n"
        "    metrics:\n    - type: exact_match\n      name: share of right answers\n"
        "      value: {:.6g}\n",
        kTask, data, json_text(name), accuracy);
  }

  std::string scores() const {
    std::string text;
    for (const Measurement& measured : options_.measured) {
      const MeasuredLevel total = measured.total();
      text +=
          score("nrs-generated", fmt::format("{}, nesting up to {}", total.domain, total.nesting),
                share(total.right, total.formulas));
    }
    if (const Json held = facts_["results"].value("held_out", Json()); held.is_object()) {
      text += score("own-examples", "held-out examples, the longest ones",
                    share(held.value("right", 0U), held.value("questions", 0U)));
    }
    return text;
  }

  std::string head() const {
    std::string text = fmt::format(
        "---\nlicense: {}\nlibrary_name: nrs\nlanguage: zxx\npipeline_tag: {}\ninference: false\n"
        "tags:\n- term-rewriting\n- symbolic-reasoning\n- neuro-symbolic\n- {}\n",
        options_.license, kTask, architecture_.name());
    for (const std::string& domain : model_.domains) text += fmt::format("- {}\n", domain);
    if (const std::string found = scores(); !found.empty()) {
      text +=
          fmt::format("model-index:\n- name: {}\n  results:\n{}", json_text(model_.name), found);
    }
    return text + "---\n\n";
  }

  std::string what() const {
    std::string text =
        fmt::format("# {}\n\nThis model simplifies formulas. {}\n\n", model_.name, notes_.how);
    text += fmt::format("| what | |\n|---|---|\n| architecture | {} |\n", architecture_.name());
    text += fmt::format("| file | {:.2f} MB |\n", facts_["bytes"].get<double>() / 1e6);
    for (const auto& [module, where] : model_.shared) {
      text +=
          fmt::format("| {} | in the file {}, which has to be beside it |\n", module, where.file);
    }
    if (const std::uint64_t weights = model::count_parameters(model_); weights > 0) {
      text += fmt::format("| trained numbers | {} |\n", weights);
    }
    text += fmt::format("| checksum | {} |\n| made by | {} |\n\n",
                        facts_["checksum"].get<std::string>(), model_.program);
    return text;
  }

  std::string taught() const {
    std::string text = "## What it was taught\n\n";
    if (of_domains()) {
      text += fmt::format(
          "Generated formulas of these domains, by {}:\n\n"
          "| domain | a formula | its value |\n|---|---|---|\n",
          model_.protocol == "paper" ? "the paper's protocol (not every leaf that exists)"
                                     : "a protocol that shows every leaf that exists");
      for (const std::string& domain : model_.domains) {
        const Sample sample = sample_of(domain);
        text += fmt::format("| {} | `{}` | `{}` |\n", domain, in_cell(sample.formula),
                            in_cell(sample.value));
      }
      text += fmt::format(
          "\n`nrs info --recipe {}` prints the recipe by which it can be trained again.",
          options_.called);
    } else {
      text += "Examples of its user, and nothing else.";
    }
    text += fmt::format(" Seed: {}. Hash of the data: {}.\n\n", model_.seed, model_.data_hash);
    if (notes_.learned.empty()) return text;
    return text +
           fmt::format("What it learned:\n\n```text\n{}\n```\n\n", fmt::join(notes_.learned, "\n"));
  }

  static std::string in_cell(std::string_view text) {
    std::string cell;
    for (const char c : text) cell += c == '|' ? "\\|" : std::string(1, c);
    return cell;
  }

  std::string results() const {
    std::string text = "## Results\n\n";
    if (!options_.measured.empty()) {
      text +=
          "Measured on generated formulas. An answer is right only if it is exactly the value.\n\n"
          "| domain | nesting | formulas | right | wrong | without an answer |\n"
          "|---|---:|---:|---:|---:|---:|\n";
      for (const Measurement& measured : options_.measured) text += rows(measured);
      text += "\n" + commands();
    }
    return text + fmt::format("{}, as it is stored in the file:\n\n```text\n{}```\n\n",
                              of_domains() ? "Training" : "Teaching",
                              show_facts(facts_["results"]));
  }

  static std::string rows(const Measurement& measured) {
    std::string text;
    for (const MeasuredLevel& level : measured.levels) {
      text +=
          fmt::format("| {} | {} | {} | {} ({:.4g} %) | {} | {} |\n", level.domain, level.nesting,
                      level.formulas, level.right, 100 * share(level.right, level.formulas),
                      level.answered - level.right, level.formulas - level.answered);
    }
    return text;
  }

  std::string commands() const {
    std::string text = "```sh\n";
    for (const Measurement& measured : options_.measured) {
      text += fmt::format("{}  # {}\n", measured.command, measured.machine);
    }
    return text + "```\n\n";
  }

  std::string certificate() const {
    const Json& certificate = facts_["certificate"];
    std::string text = "## Certificate\n\n";
    if (certificate.is_null()) {
      return text + (architecture_.verifiable()
                         ? fmt::format("None: the result of `nrs verify --model {} --store` has "
                                       "not been stored.\n\n",
                                       options_.called)
                         : "None. Models of this architecture are not verified leaf by leaf.\n\n");
    }
    return text +
           fmt::format("What was checked of this model, and the result:\n\n```text\n{}```\n\n",
                       show_facts(certificate));
  }

  std::string limits() const {
    std::string text = "## Limits, and what it is not for\n\n";
    for (const std::string& limit : notes_.limits) text += fmt::format("- {}\n", limit);
    text += of_domains()
                ? "- It reads formulas of the domains above. It is no computer algebra system, and "
                  "knows nothing of other operators, larger numbers or other notations.\n"
                : "- It knows the system of its examples only, in the notation of the examples.\n";
    return text +
           "- It reads neither natural language nor programs.\n"
           "- Where a wrong answer does harm, check its answers by other means, unless the "
           "certificate says what you need.\n\n";
  }

  std::string use() const {
    const std::string formula =
        of_domains() ? sample_of(model_.domains.front()).formula : "FORMULA";
    const std::string file =
        options_.called.ends_with(".nrs") ? options_.called : options_.called + ".nrs";
    return fmt::format(
        "## How to use it\n\n"
        "```sh\nnrs simplify --model {0} --trace '{1}'\n```\n\n"
        "```cpp\n#include <nrs/nrs.h>\n\nconst nrs::Simplifier simplifier(\"{2}\");\n"
        "const nrs::Answer answer = simplifier.simplify(\"{1}\");\n"
        "if (answer.ok()) std::cout << answer.formula << \"\\n\";\n```\n\n"
        "```python\nimport nrs\n\nprint(nrs.load(\"{0}\").simplify(\"{1}\").value)\n```\n\n"
        "Without a value, `stop` says why. nrs implements and extends *Learning neuro-symbolic "
        "convergent term rewriting systems* by F. Petruzzellis, A. Testolin and A. Sperduti.\n",
        options_.called, formula, file);
  }

  const model::Model& model_;
  const CardOptions& options_;
  Json facts_;
  const architectures::Architecture& architecture_;
  architectures::CardNotes notes_;
};

}  // namespace

std::string model_card(const fs::path& file, const model::Model& model,
                       const CardOptions& options) {
  return Card(file, model, options).text();
}

}  // namespace nrs::service

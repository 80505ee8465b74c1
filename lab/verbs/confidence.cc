#include "verbs/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "data/example.h"
#include "data/paper_counts.h"

namespace nrs::lab {
namespace {

// Formulas that go through the modules together.
constexpr std::size_t kBatch = 1024;

std::vector<data::RewriteExample> formulas_of(const ConfidenceRequest& request) {
  std::vector<data::RewriteExample> examples;
  Sample sample;
  for (int nesting = 1; nesting <= request.nesting; ++nesting) {
    for (std::size_t i = 0; i < request.count; ++i) {
      Rng rng(mix(request.seed, static_cast<std::uint64_t>(nesting)), i);
      const int args = 2 + static_cast<int>(i) % (request.domain->most_args() - 1);
      request.domain->generate({nesting, args, request.space}, rng, sample);
      if (i % 2 == 1) {
        const int steps = rng.between(1, 1 << std::min(nesting - 1, 10));
        std::string rewritten = sample.formula;
        if (data::rewrite_last(*request.domain, steps, sample.signs_merged, rewritten)) {
          sample.formula = rewritten;
        }
      }
      examples.push_back(data::make_example(*request.domain, sample.formula));
    }
  }
  return examples;
}

// What a Selector should find.
std::vector<Span> expected_in(const data::RewriteExample& example, Leaves wanted) {
  if (example.final) return {{0, example.formula.size()}};
  std::vector<Span> leaves;
  for (const Step& step : example.steps) leaves.push_back(step.leaf);
  if (wanted == Leaves::kLast && !leaves.empty()) leaves.erase(leaves.begin(), leaves.end() - 1);
  return leaves;
}

// All leaves of a domain, or some of them.
std::vector<std::pair<std::string, std::string>> leaves_of(const ConfidenceRequest& request) {
  const auto wanted = [&](std::string_view leaf) {
    return request.trained == nullptr || request.trained->contains(leaf);
  };
  std::size_t total = 0, number = 0;
  request.domain->for_each_leaf(request.space, [&](std::string_view leaf, std::string_view) {
    total += wanted(leaf) ? 1 : 0;
  });
  const std::size_t every =
      std::max<std::size_t>(1, total / std::max<std::size_t>(1, request.most_leaves));
  std::vector<std::pair<std::string, std::string>> leaves;
  request.domain->for_each_leaf(request.space, [&](std::string_view leaf, std::string_view value) {
    if (wanted(leaf) && number++ % every == 0) leaves.emplace_back(leaf, value);
  });
  return leaves;
}

}  // namespace

std::vector<SelectorConfidence> selector_confidence(const rewrite::ModularRewriter& rewriter,
                                                    const ConfidenceRequest& request) {
  const std::vector<data::RewriteExample> examples = formulas_of(request);
  std::map<std::size_t, SelectorConfidence> lengths;
  for (std::size_t begin = 0; begin < examples.size(); begin += kBatch) {
    const auto batch =
        std::span(examples).subspan(begin, std::min(kBatch, examples.size() - begin));
    std::vector<std::string_view> formulas;
    for (const data::RewriteExample& example : batch) formulas.push_back(example.formula);
    const std::vector<rewrite::ModularRewriter::Found> selected = rewriter.find(formulas);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      SelectorConfidence& to = lengths[batch[i].formula.size()];
      to.characters = batch[i].formula.size();
      ++to.formulas;
      to.right += selected[i].leaves == expected_in(batch[i], rewriter.wanted()) ? 1 : 0;
      to.confidence += std::exp(selected[i].log_prob);
    }
  }
  std::vector<SelectorConfidence> rows;
  for (auto& entry : lengths) {
    entry.second.confidence /= static_cast<double>(entry.second.formulas);
    rows.push_back(entry.second);
  }
  return rows;
}

std::size_t longest_trained_formula(const ConfidenceRequest& request) {
  ConfidenceRequest known = request;
  known.nesting = data::paper_counts(*request.domain).ood_from - 1;
  std::size_t longest = 0;
  for (const data::RewriteExample& example : formulas_of(known)) {
    longest = std::max(longest, example.formula.size());
  }
  return longest;
}

SolverConfidence solver_confidence(const rewrite::ModularRewriter& rewriter,
                                   const ConfidenceRequest& request) {
  const auto leaves = leaves_of(request);
  SolverConfidence result;
  std::vector<double> log_probs;
  for (std::size_t begin = 0; begin < leaves.size(); begin += kBatch) {
    std::vector<std::string_view> batch;
    for (std::size_t i = begin; i < std::min(begin + kBatch, leaves.size()); ++i) {
      batch.push_back(leaves[i].first);
    }
    const std::vector<Solution> solutions = rewriter.solver().solve(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      ++result.leaves;
      result.right += solutions[i].value == leaves[begin + i].second ? 1 : 0;
      const double log_prob = std::max(solutions[i].log_prob, -100.0);  // what cannot be read
      result.unsure += log_prob < rewriter.threshold().value_or(0) ? 1 : 0;
      result.least = std::min(result.least, log_prob);
      log_probs.push_back(log_prob);
    }
  }
  result.counts.assign(SolverConfidence::kBins, 0);
  for (const double log_prob : log_probs) {
    const double share = result.least < 0 ? 1 - log_prob / result.least : 1;
    const auto bin = static_cast<std::size_t>(share * SolverConfidence::kBins);
    ++result.counts[std::min(bin, SolverConfidence::kBins - 1)];
  }
  return result;
}

nlohmann::ordered_json to_json(const std::vector<SelectorConfidence>& lengths) {
  nlohmann::ordered_json columns{{"characters", nlohmann::json::array()},
                                 {"formulas", nlohmann::json::array()},
                                 {"right", nlohmann::json::array()},
                                 {"confidence", nlohmann::json::array()}};
  for (const SelectorConfidence& row : lengths) {
    columns["characters"].push_back(row.characters);
    columns["formulas"].push_back(row.formulas);
    columns["right"].push_back(row.right);
    columns["confidence"].push_back(row.confidence);
  }
  return columns;
}

nlohmann::ordered_json to_json(const SolverConfidence& solver) {
  return {{"leaves", solver.leaves},
          {"right", solver.right},
          {"unsure", solver.unsure},
          {"least_log_prob", solver.least},
          {"counts", solver.counts}};
}

std::string show_columns(const nlohmann::ordered_json& value, std::size_t indent) {
  if (!value.is_object()) return value.dump();
  std::string text = "{\n";
  for (const auto& [name, member] : value.items()) {
    text += fmt::format("{:{}}{}: {},\n", "", indent + 1, nlohmann::json(name).dump(),
                        show_columns(member, indent + 1));
  }
  text.erase(text.size() - (value.empty() ? 1 : 2));
  return text + fmt::format("\n{:{}}}}", "", indent);
}

}  // namespace nrs::lab

#include "eval/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "data/example.h"
#include "data/paper_counts.h"
#include "eval/stages.h"

namespace nrs::eval {
namespace {

using Json = nlohmann::ordered_json;

// Formulas that go through the modules together.
constexpr std::size_t kBatch = 1024;
// Of the Solver's histogram.
constexpr std::size_t kBins = 100;

// The Selector on formulas of one length.
struct LengthConfidence {
  std::size_t formulas = 0;
  std::size_t right = 0;
  double sum = 0;  // of joint probabilities
};

std::vector<std::string> formulas_of(const ConfidenceRequest& request) {
  std::vector<std::string> formulas;
  Sample sample;
  for (int nesting = 1; nesting <= request.nesting; ++nesting) {
    for (std::size_t i = 0; i < request.count; ++i) {
      Rng rng(mix(request.seed, static_cast<std::uint64_t>(nesting)), i);
      const int args = 2 + static_cast<int>(i) % (request.domain->most_args() - 1);
      request.domain->generate({nesting, args, request.space}, rng, sample);
      if (i % 2 == 1) data::rewrite_partly(*request.domain, nesting, rng, sample);
      formulas.push_back(sample.formula);
    }
  }
  return formulas;
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

Json selector_confidence(const rewrite::ModularRewriter& rewriter,
                         const ConfidenceRequest& request) {
  const std::vector<std::string> all = formulas_of(request);
  std::map<std::size_t, LengthConfidence> lengths;
  for (std::size_t begin = 0; begin < all.size(); begin += kBatch) {
    const auto part = std::span(all).subspan(begin, std::min(kBatch, all.size() - begin));
    const std::vector<std::string_view> batch(part.begin(), part.end());
    const std::vector<rewrite::ModularRewriter::Found> selected = rewriter.find(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      LengthConfidence& to = lengths[batch[i].size()];
      ++to.formulas;
      to.right +=
          selected[i].leaves == expected_leaves(*request.domain, batch[i], rewriter.wanted()) ? 1
                                                                                              : 0;
      to.sum += std::exp(selected[i].log_prob);
    }
  }
  Json columns;
  for (const char* name : {"characters", "formulas", "right", "confidence"}) {
    columns[name] = Json::array();
  }
  for (const auto& [characters, row] : lengths) {
    columns["characters"].push_back(characters);
    columns["formulas"].push_back(row.formulas);
    columns["right"].push_back(row.right);
    columns["confidence"].push_back(row.sum / static_cast<double>(row.formulas));
  }
  return columns;
}

std::size_t longest_trained_formula(const ConfidenceRequest& request) {
  ConfidenceRequest known = request;
  known.nesting = data::paper_counts(*request.domain).ood_from - 1;
  std::size_t longest = 0;
  for (const std::string& formula : formulas_of(known)) longest = std::max(longest, formula.size());
  return longest;
}

Json solver_confidence(const rewrite::ModularRewriter& rewriter, const ConfidenceRequest& request) {
  const auto leaves = leaves_of(request);
  std::size_t right = 0, unsure = 0;
  double least = 0;
  std::vector<double> log_probs;
  for (std::size_t begin = 0; begin < leaves.size(); begin += kBatch) {
    std::vector<std::string_view> batch;
    for (std::size_t i = begin; i < std::min(begin + kBatch, leaves.size()); ++i) {
      batch.push_back(leaves[i].first);
    }
    const std::vector<Solution> solutions = rewriter.solver().solve(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      right += solutions[i].value == leaves[begin + i].second ? 1 : 0;
      const double log_prob = std::max(solutions[i].log_prob, -100.0);  // what cannot be read
      unsure += log_prob < rewriter.threshold().value_or(0) ? 1 : 0;
      least = std::min(least, log_prob);
      log_probs.push_back(log_prob);
    }
  }
  std::vector<std::size_t> counts(kBins);
  for (const double log_prob : log_probs) {
    const double share = least < 0 ? 1 - log_prob / least : 1;
    ++counts[std::min(static_cast<std::size_t>(share * kBins), kBins - 1)];
  }
  return {{"leaves", leaves.size()},
          {"right", right},
          {"unsure", unsure},
          {"least_log_prob", least},
          {"counts", counts}};
}

std::string show_columns(const Json& value, std::size_t indent) {
  if (!value.is_object()) return value.dump();
  std::string text = "{\n";
  for (const auto& [name, member] : value.items()) {
    text += fmt::format("{:{}}{}: {},\n", "", indent + 1, nlohmann::json(name).dump(),
                        show_columns(member, indent + 1));
  }
  text.erase(text.size() - (value.empty() ? 1 : 2));
  return text + fmt::format("\n{:{}}}}", "", indent);
}

}  // namespace nrs::eval

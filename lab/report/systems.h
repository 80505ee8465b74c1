#pragma once
// What the results of one model are together, and how models are named and coloured on the page.
#include <map>
#include <string>
#include <vector>

#include "report/results.h"

namespace nrs::lab {

// "FastNRS", "NRS", "NDR"; of any other engine the name of the model.
std::string system_of(const Source& source);
// What a model learnt from: every leaf that exists, the paper's share of them, or that share by the
// paper's recipe.
enum class Variant { kEveryLeaf, kPaperLeaves, kPaperRecipe };
Variant variant_of(const Source& source);
// With what the model was trained on, where that is not everything: "FastNRS, paper data".
std::string label_of(const Source& source);
// Its recipe, or else the model itself.
std::string name_of(const Source& source);
// Its number in the palette. What is not one of ours and not in the paper shares one.
int colour_of(const std::string& system);

// One model for several domains; language models are such by their nature.
bool is_multi(const Source& source);
// Where a model belongs: its domain, or "multi".
std::string domain_of(const Source& source);

// "ListOps"; of what the paper does not have the name itself.
std::string title_of(const Results& results, const std::string& domain);
// With one more for models of several domains.
std::vector<PublishedDomain> domains_and_all(const Results& results);
// How the paper trained what a module of ours is compared with; null if it does not say.
const nlohmann::json* published_training(const Results& results, const Source& source,
                                         const std::string& module);
// The published accuracies with numbers, or only drawn, of a domain.
std::vector<nlohmann::json> published_accuracies(const Results& results,
                                                 const PublishedDomain& domain, bool multi);
std::optional<double> published_at(const nlohmann::json& accuracy, int nesting);
int deepest_published(const nlohmann::json& accuracy);  // with a number; 0 if there is none

// All that was measured of one model in one domain, by nesting.
struct Scored {
  Source source{};
  std::string label{};
  std::map<int, Counts> levels{};
  std::vector<Source> sources{};

  // Of the levels from 1 to this.
  Counts total(int deepest) const;
};

// The models that were measured in a domain: our systems in the order of the paper's, within one
// those that saw all leaves first. Throws Error (input) if two files tell of the same level.
std::vector<Scored> scored_models(const std::vector<ResultFile>& evaluations,
                                  const PublishedDomain& domain, bool multi);

}  // namespace nrs::lab

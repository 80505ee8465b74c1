#pragma once
// What the results of one model are together, and how models are named and coloured on the page.
#include <map>
#include <string>
#include <vector>

#include "report/results.h"

namespace nrs {

// "FastNRS", "NRS", "NDR"; of any other engine the name of the model.
std::string system_of(const Source& source);
// What a model learnt from: every leaf that exists, the paper's share of them, or that share by the
// paper's recipe.
enum class Variant { kEveryLeaf, kPaperLeaves, kPaperRecipe };
Variant variant_of(const Source& source);
// With what the model was trained on, where that is not everything: "FastNRS, paper data".
std::string label_of(const Source& source);
// Its number in the palette. What is not one of ours and not in the paper shares one.
int colour_of(const std::string& system);

// One model for several domains; language models are such by their nature.
bool is_multi(const Source& source);
// Where a model belongs: its domain, or "multi".
std::string domain_of(const Source& source);
bool is_of(const Source& source, const PublishedDomain& domain, bool multi);

// Nothing if the paper does not have it.
const PublishedDomain* find_domain_in(const Published& published, const std::string& name);
// With one more for models of several domains.
std::vector<PublishedDomain> domains_and_all(const Published& published);
// How the paper trained what a module of ours is compared with.
const PublishedTraining* find_training_in(const Published& published, const Source& source,
                                          const std::string& module);

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
std::vector<Scored> scored_models(const std::vector<Evaluation>& evaluations,
                                  const PublishedDomain& domain, bool multi);

// Adds those that are not yet there.
void add_sources(std::vector<Source>& all, const std::vector<Source>& more);

}  // namespace nrs

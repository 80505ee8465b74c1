#pragma once
// An ablation: one choice of a recipe, varied, with runs of several seeds.
#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "study/trials.h"

namespace nrs::lab {

struct StudyVariant {
  std::string name;
  std::vector<std::string> set{};

  template <class Visitor>
  void visit(Visitor& v) {
    v("name", name, "what the line in the figure is called");
    v("set", set, "fields that this variant changes, as in train.solver.steps=500");
  }
};

struct Study {
  std::string title;
  std::string domain;
  std::string recipe;
  StudiedModule module = StudiedModule::kSelector;
  Measure measure = Measure::kBeyond;
  std::string meaning;
  std::string note;
  std::vector<int> seeds{1, 2, 3};
  std::vector<std::string> set{};
  std::vector<StudyVariant> variants{};  // the tables [[variant]]

  template <class Visitor>
  void visit(Visitor& v) {
    v("title", title, "which choice is varied");
    v("domain", domain, "that the figure is of");
    v("recipe", recipe, "file of the recipe, seen from the folder of the study");
    v("module", module, "which module is trained");
    v("measure", measure, "which share of the validation examples is drawn");
    v("meaning", meaning, "what that share is, in words");
    v("note", note, "what the reader should know: sizes, steps");
    v("seeds", seeds, "of the runs of each variant", Range{0, 2'147'483'647});
    v("set", set, "fields that are changed in every run");
  }
};

// Throws Error (usage) with file and line.
Study read_study(const std::filesystem::path& path);

// Changes with the study and with the recipe that it varies. Throws Error if one cannot be read.
std::string study_checksum(const std::filesystem::path& path);

// The runs of a study, those of a variant side by side. Throws Error (usage) if the recipe cannot
// be trained so (it names the variant), or is of other domains.
std::vector<Trial> trials_of(const Study& study, const StudiedRecipe& recipe);

// The result file, as `nrs report` reads it, without where it comes from. There must be an outcome
// for each of the trials, all of them done.
nlohmann::ordered_json to_json(const Study& study, std::span<const Outcome> outcomes);

}  // namespace nrs::lab

#pragma once
// The input of nrs learn: examples, or a model that continues learning, perhaps with new examples.
#include <filesystem>
#include <functional>
#include <string>

#include "examples/examples.h"
#include "model/model_file.h"

namespace nrs::cli {

using VisitAll = std::function<void(const std::function<void(examples::Example&&)>&)>;

struct Lesson {
  examples::ExampleFile file;      // all examples, those of the model first
  std::filesystem::path before{};  // the model that continues; empty: none
  std::string architecture{};      // of that model
  std::size_t left_out = 0;        // examples that the model did not keep
  // Visits all examples of a file of which only a share is in `file`; empty if all are.
  VisitAll visit_all{};
};

// Whether the examples are those that a model keeps.
bool is_model_file(const std::filesystem::path& path);

// How a file is read if `kind` is "steps", "answers", or "auto" to find it out.
examples::ReadOptions read_options(const std::string& kind, const examples::Progress& progress);

// A file of examples. Of a large one a share is learned from. Throws Error.
Lesson lesson_of_file(const std::filesystem::path& path, examples::ReadOptions how);
// `more` may be empty. Lines are counted on from those of the model. Throws Error.
Lesson lesson_of_model(const std::filesystem::path& model, const std::filesystem::path& more,
                       const examples::Progress& progress);

// Gives a model the examples that it was taught.
void keep_lesson(const Lesson& lesson, examples::Kind kind, model::Model& model);

}  // namespace nrs::cli

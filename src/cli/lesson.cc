#include "cli/lesson.h"

#include <algorithm>

#include "architectures/architecture.h"
#include "nrs/error.h"
#include "taught/explain_answer.h"
#include "taught/kept_examples.h"

namespace nrs::cli {
namespace {

// About so much memory is for examples. What learns from them takes several times as much.
constexpr std::size_t kMostExampleBytes = std::size_t{40} << 20;

std::uint32_t greatest_line(const std::vector<examples::Example>& examples) {
  std::uint32_t last = 0;
  for (const examples::Example& example : examples) last = std::max(last, example.line);
  return last;
}

// New examples behind those of the model.
void add_more(const std::filesystem::path& path, const architectures::RunningModel& model,
              std::uint32_t lines, const examples::Progress& progress, Lesson& lesson) {
  examples::ReadOptions how;
  how.progress = progress;
  how.finals_only = true;
  how.most_bytes = kMostExampleBytes;
  examples::ExampleFile more = examples::read_examples(path, how);
  more.examples = taught::explain_answers(model.rewriter(), lesson.file.examples,
                                          std::move(more.examples), lesson.file.kind);
  for (examples::Example& example : more.examples) {
    example.line += lines;
    lesson.file.examples.push_back(std::move(example));
  }
  for (examples::BadLine& bad : more.unread) {
    lesson.file.unread.push_back({bad.line + lines, std::move(bad.reason)});
  }
  lesson.file.left_out = more.left_out;
}

}  // namespace

examples::ReadOptions read_options(const std::string& kind, const examples::Progress& progress) {
  examples::ReadOptions how;
  how.progress = progress;
  if (kind == "steps") how.kind = examples::Kind::kSteps;
  if (kind == "answers") how.kind = examples::Kind::kAnswer;
  return how;
}

bool is_model_file(const std::filesystem::path& path) {
  return path.extension() == ".nrs";
}

Lesson lesson_of_file(const std::filesystem::path& path, examples::ReadOptions how) {
  how.most_bytes = kMostExampleBytes;
  Lesson lesson;
  lesson.file = examples::read_examples(path, how);
  if (lesson.file.left_out > 0 && path != "-") {
    lesson.visit_all = [path, how](const std::function<void(examples::Example &&)>& visit) {
      examples::visit_examples(path, how, visit);
    };
  }
  return lesson;
}

Lesson lesson_of_model(const std::filesystem::path& path, const std::filesystem::path& more,
                       const examples::Progress& progress) {
  const architectures::RunningModel model = architectures::RunningModel::load(path);
  taught::KeptExamples kept = taught::require_examples(model.model());
  Lesson lesson;
  lesson.before = path;
  lesson.architecture = model.architecture().name();
  lesson.left_out = kept.left_out;
  lesson.file = {.name = path.string(),
                 .examples = std::move(kept.examples),
                 .unread = {},
                 .kind = kept.kind,
                 .why = "as the model was taught"};
  if (!more.empty()) add_more(more, model, kept.lines, progress, lesson);
  return lesson;
}

void keep_lesson(const Lesson& lesson, examples::Kind kind, model::Model& model) {
  taught::keep_examples(model, {.examples = lesson.file.examples,
                                .kind = kind,
                                .left_out = lesson.left_out,
                                .lines = greatest_line(lesson.file.examples)});
}

}  // namespace nrs::cli

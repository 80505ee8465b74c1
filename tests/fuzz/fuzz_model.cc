// Bytes as a model file: it is refused, or it can be written back the same and rewrites formulas,
// whatever its weights are.
#include "architectures/architecture.h"
#include "fuzz.h"
#include "model/model_file.h"
#include "model/safetensors.h"

namespace nrs {
namespace {

void run(model::Model model) {
  const architectures::RunningModel running(std::move(model));
  const std::string_view formulas[] = {"7", "((1+2)*3)", "(12+34)", "#"};
  for (const Result& result : running.rewriter().run(formulas, {.max_steps = 20})) {
    fuzz::expect(!name_of(result.stop).empty());
  }
}

}  // namespace

void fuzz::check(std::string_view content) {
  const model::TensorFile file = model::TensorFile::parse(std::string(content), "fuzz");
  // The checksum would hide all that lies behind it, so the file is written again with the right
  // one.
  const std::string again =
      model::serialise_tensors(file.metadata(), {file.tensors().begin(), file.tensors().end()});
  model::TensorFile copy = model::TensorFile::parse(again, "again");
  fuzz::expect(copy.tensors().size() == file.tensors().size());
  run(model::parse_model(copy, {}));
}

}  // namespace nrs

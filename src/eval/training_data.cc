#include "eval/training_data.h"

#include "architectures/architecture.h"
#include "data/protocol.h"

namespace nrs {

std::vector<const Domain*> domains_of(const Model& model) {
  std::vector<const Domain*> domains;
  for (const std::string& name : model.domains) {
    domains.push_back(&find_domain(name));
  }
  return domains;
}

FormulaSpace trained_space(const Model& model) {
  return architecture_of(model).paper_formulas(model) ? FormulaSpace::kPaper : FormulaSpace::kWhole;
}

std::optional<SeenTexts> trained_leaves(const Model& model) {
  const ProtocolRequest request{
      .domains = domains_of(model), .seed = model.seed, .selector = false};
  if (request.domains.empty()) return {};
  if (model.protocol != name_of(Protocol::kPaper)) return {};
  SeenTexts trained;
  make_protocol_data(request, [&](DataGroup&& group) {
    if (group.part != Part::kSolver || group.split != Split::kTrain) return;
    for (const DataRow& row : group.rows) trained.insert(row.example.formula);
  });
  return trained;
}

}  // namespace nrs

#include "eval/origin.h"

#include <nlohmann/json.hpp>

#include "architectures/architecture.h"
#include "base/process.h"
#include "data/protocol.h"

namespace nrs::eval {

void add_origin(nlohmann::ordered_json& object, const std::string& program,
                const model::Model* model) {
  object["program"] = program;
  object["command"] = command_line();
  object["machine"] = machine_name();
  if (model != nullptr) add_model_origin(object, *model);
}

void add_model_origin(nlohmann::ordered_json& object, const model::Model& model) {
  object["model_checksum"] = model::model_checksum(model);
  object["recipe"] = {{"name", model.name},
                      {"seed", model.seed},
                      {"protocol", model.protocol},
                      {"domains", model.domains},
                      {"program", model.program}};
  object["parameters"] = model::count_parameters(model);
}

std::vector<const Domain*> domains_of(const model::Model& model) {
  std::vector<const Domain*> domains;
  for (const std::string& name : model.domains) {
    domains.push_back(&find_domain(name));
  }
  return domains;
}

FormulaSpace trained_space(const model::Model& model) {
  return architectures::architecture_of(model).paper_formulas(model) ? FormulaSpace::kPaper
                                                                     : FormulaSpace::kWhole;
}

std::optional<data::SeenTexts> trained_leaves(const model::Model& model) {
  const data::ProtocolRequest request{
      .domains = domains_of(model), .seed = model.seed, .selector = false};
  if (request.domains.empty()) return {};
  if (model.protocol != enum_name(data::Protocol::kPaper)) return {};
  data::SeenTexts trained;
  data::make_protocol_data(request, [&](data::DataGroup&& group) {
    if (group.part != data::Part::kSolver || group.split != data::Split::kTrain) return;
    for (const data::DataRow& row : group.rows) trained.insert(row.example.formula);
  });
  return trained;
}

}  // namespace nrs::eval

#include "eval/origin.h"

#include <nlohmann/json.hpp>

#include "base/process.h"

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

}  // namespace nrs::eval

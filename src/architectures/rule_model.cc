#include "architectures/rule_model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "architectures/taught_solver.h"
#include "model/json_config.h"
#include "nrs/error.h"
#include "term/rule_file.h"

namespace nrs::architectures {
namespace {

using RuleJson = nlohmann::ordered_json;

RuleJson json_of(const StoredRule& rule) {
  const RuleSupport& support = rule.support;
  return {{"left", rule.left},           {"right", rule.rights},   {"steps", support.steps},
          {"redexes", support.redexes},  {"lines", support.lines}, {"guess", support.guess},
          {"question", support.question}};
}

RuleJson json_of(const std::vector<StoredRule>& rules) {
  RuleJson list = RuleJson::array();
  for (const StoredRule& rule : rules) list.push_back(json_of(rule));
  return list;
}

StoredRule stored_rule(const nlohmann::json& json) {
  model::JsonPlace(json, "rules")
      .check_members({"left", "right", "steps", "redexes", "lines", "guess", "question"});
  StoredRule rule;
  json.at("left").get_to(rule.left);
  json.at("right").get_to(rule.rights);
  json.at("steps").get_to(rule.support.steps);
  json.at("redexes").get_to(rule.support.redexes);
  json.at("lines").get_to(rule.support.lines);
  json.at("guess").get_to(rule.support.guess);
  json.at("question").get_to(rule.support.question);
  return rule;
}

std::vector<StoredRule> stored_rules(const nlohmann::json& list) {
  std::vector<StoredRule> rules;
  if (!list.is_array()) throw Error(ErrorKind::kInput, "rules: must be a list");
  for (const nlohmann::json& json : list) rules.push_back(stored_rule(json));
  return rules;
}

constexpr const char* kTableTensor = "rules.table";

void add_number_rules(const std::vector<StoredRule>& stored, term::RuleSet& set) {
  for (const StoredRule& rule : stored) {
    term::NumberRule number{term::read_number_side(set.terms, rule.left, set.notation), {}};
    for (const std::string& right : rule.rights) {
      number.rights.push_back(term::read_number_side(set.terms, right, set.notation));
    }
    term::check_number_rule(set.terms, number);
    set.number_rules.push_back(std::move(number));
  }
}

}  // namespace

model::Module to_module(const RuleModel& rules) {
  const RuleJson fields = {{"notation", enum_name(rules.notation)},
                           {"rules", json_of(rules.rules)},
                           {"number_rules", json_of(rules.number_rules)}};
  model::Module module{.fields = fields.dump()};
  if (!rules.table.empty()) module.tables.emplace(kTableTensor, tensor_of(rules.table));
  return module;
}

RuleModel rules_of(const model::Model& model) {
  const nlohmann::json json = model::parse_json(model.module(kRulesModule).fields, "rules");
  model::JsonPlace(json, "rules").check_members({"notation", "rules", "number_rules"});
  RuleModel rules;
  try {
    const auto notation = enum_value<term::Notation>(json.at("notation").get<std::string>());
    if (!notation) throw Error(ErrorKind::kInput, "rules.notation: there is no such notation");
    rules.notation = *notation;
    rules.rules = stored_rules(json.at("rules"));
    rules.number_rules = stored_rules(json.at("number_rules"));
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::kInput, "rules: a field has the wrong type");
  }
  const model::TableMap& tables = model.module(kRulesModule).tables;
  if (const auto found = tables.find(kTableTensor); found != tables.end()) {
    rules.table =
        table_of(found->second, "rules.table: not lines of a question, a tab and an answer");
  }
  return rules;
}

void store_rule_certificate(model::Model& model, const std::string& certificate) {
  // What else was verified of this very model stays true.
  RuleJson all =
      model::has_own_certificate(model) ? RuleJson::parse(*model.certificate) : RuleJson::object();
  all["model"] = model::model_checksum(model);
  all["rules"] = RuleJson::parse(certificate);
  model.certificate = all.dump();
}

std::string stored_rule_certificate(const model::Model& model) {
  if (!model::has_own_certificate(model)) {
    throw Error(ErrorKind::kInput,
                fmt::format("model '{}' has no certificate of its own", model.name),
                "nrs check makes one");
  }
  const RuleJson certificate = RuleJson::parse(*model.certificate);
  const auto rules = certificate.find("rules");
  if (rules == certificate.end()) throw Error(ErrorKind::kInput, "certificate: not one of rules");
  return rules->dump();
}

term::RuleSet rule_set_of(const model::Model& model) {
  const RuleModel rules = rules_of(model);
  std::string text = fmt::format("notation {}\n", enum_name(rules.notation));
  for (const StoredRule& rule : rules.rules) {
    if (rule.rights.size() != 1) throw Error(ErrorKind::kInput, "rules: one right side expected");
    text += rule.left + " -> " + rule.rights.front() + "\n";
  }
  term::RuleSet set = term::read_rules(text, term::RuleFormat::kText, model.name);
  set.name = model.name;
  add_number_rules(rules.number_rules, set);
  return set;
}

}  // namespace nrs::architectures

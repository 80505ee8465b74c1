#include "text/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "nrs/error.h"

namespace nrs::text {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Pattern& pattern) {
  Json json = {{"body", pattern.body}, {"left", pattern.left}, {"right", pattern.right}};
  if (!pattern.any_order.empty()) json["any_order"] = pattern.any_order;
  if (pattern.copies) json["copies"] = *pattern.copies;
  if (!pattern.no_matter.empty()) json["no_matter"] = pattern.no_matter;
  if (pattern.folds) json["folds"] = true;
  if (const std::optional<Computation>& law = pattern.computes) {
    json["computes"] = {{"operation", std::string(1, law->operation)},
                        {"places", {law->left, law->right}},
                        {"modulus", law->modulus},
                        {"floored", law->floored}};
  }
  return json;
}

Computation computation_of(const Json& json) {
  Computation law;
  const auto operation = json.at("operation").get<std::string>();
  law.operation = operation.size() == 1 ? operation[0] : ' ';
  json.at("places").at(0).get_to(law.left);
  json.at("places").at(1).get_to(law.right);
  json.at("modulus").get_to(law.modulus);
  json.at("floored").get_to(law.floored);
  return law;
}

Pattern pattern_of(const Json& json) {
  Pattern pattern;
  json.at("body").get_to(pattern.body);
  json.at("left").get_to(pattern.left);
  json.at("right").get_to(pattern.right);
  if (json.contains("any_order")) json["any_order"].get_to(pattern.any_order);
  if (json.contains("no_matter")) json["no_matter"].get_to(pattern.no_matter);
  if (json.contains("folds")) json["folds"].get_to(pattern.folds);
  if (json.contains("copies")) pattern.copies = json["copies"].get<std::size_t>();
  if (json.contains("computes")) pattern.computes = computation_of(json["computes"]);
  return pattern;
}

Error bad(const std::string& what) {
  return Error(ErrorKind::kInput, "the patterns of the model do not hold together: " + what);
}

void check(const PatternSet& set) {
  for (const Pattern& pattern : set.patterns) {
    if (pattern.body.empty()) throw bad("one of them is empty");
    if (pattern.copies && *pattern.copies >= pattern.body.size()) {
      throw bad("one copies a token that it does not have");
    }
    if (const std::optional<Computation>& law = pattern.computes) {
      const bool known = std::string_view("+-*").find(law->operation) != std::string_view::npos;
      if (!known || law->modulus < 0 || std::max(law->left, law->right) >= pattern.body.size()) {
        throw bad("one computes with what it does not have");
      }
    }
    if (pattern.folds && (pattern.any_order.size() != 1 || pattern.any_order[0].size() < 3)) {
      throw bad("one takes two tokens at a time and has not three of them in any order");
    }
    for (const auto& [place, other] : pattern.no_matter) {
      if (std::max(place, other) >= pattern.body.size()) {
        throw bad("one leaves out tokens that it does not have");
      }
    }
    for (const std::vector<std::size_t>& group : pattern.any_order) {
      const auto outside = [&](std::size_t place) { return place >= pattern.body.size(); };
      if (std::ranges::any_of(group, outside)) throw bad("one sorts tokens that it does not have");
    }
  }
}

}  // namespace

Json to_json(const PatternSet& set) {
  Json patterns = Json::array();
  for (const Pattern& pattern : set.patterns) patterns.push_back(json_of(pattern));
  return {{"lexer",
           {{"numbers", set.lexer.numbers},
            {"words", set.lexer.words},
            {"signs", set.lexer.signs},
            {"spaced", set.lexer.spaced},
            {"compounds", set.lexer.compounds}}},
          {"number_class", set.number_class},
          {"values", set.values},
          {"numbers", set.numbers},
          {"patterns", patterns},
          {"alone", set.alone},
          {"finals", {{"shapes", set.finals.shapes}, {"neighbours", set.finals.neighbours}}},
          {"steps", {{"linear", set.growth.linear}, {"quadratic", set.growth.quadratic}}},
          {"longest_token", set.longest_token},
          {"balanced", set.balanced}};
}

PatternSet patterns_of(const Json& json) try {
  PatternSet set;
  const Json& lexer = json.at("lexer");
  set.lexer = {.numbers = lexer.at("numbers"),
               .words = lexer.at("words"),
               .signs = lexer.at("signs"),
               .spaced = lexer.at("spaced")};
  if (lexer.contains("compounds")) lexer.at("compounds").get_to(set.lexer.compounds);
  json.at("number_class").get_to(set.number_class);
  json.at("values").get_to(set.values);
  if (json.contains("numbers")) json.at("numbers").get_to(set.numbers);
  for (const Json& pattern : json.at("patterns")) set.patterns.push_back(pattern_of(pattern));
  if (json.contains("alone")) json["alone"].get_to(set.alone);
  json.at("finals").at("shapes").get_to(set.finals.shapes);
  json.at("finals").at("neighbours").get_to(set.finals.neighbours);
  json.at("steps").at("linear").get_to(set.growth.linear);
  json.at("steps").at("quadratic").get_to(set.growth.quadratic);
  json.at("longest_token").get_to(set.longest_token);
  json.at("balanced").get_to(set.balanced);
  check(set);
  return set;
} catch (const nlohmann::json::exception& error) {
  throw bad(error.what());
}

}  // namespace nrs::text

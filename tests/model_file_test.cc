// The model file: what is saved is loaded bit for bit, and a file that does not hold together is
// refused with the name of what is wrong.
#include "model/model_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/rng.h"
#include "model/join.h"
#include "model/json_config.h"
#include "model/networks.h"
#include "parameter_count.h"
#include "temporary.h"

namespace nrs::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

nn::WeightMap random_weights(const std::vector<nn::ExpectedTensor>& tensors, Rng& rng) {
  nn::WeightMap weights;
  for (const nn::ExpectedTensor& tensor : tensors) {
    nn::Weights& made = weights[tensor.name];
    made.shape = tensor.shape;
    made.values.resize(parameter_count({&tensor, 1}));
    for (float& value : made.values) value = static_cast<float>(rng.uniform() - 0.5);
  }
  return weights;
}

Model tiny_model() {
  Rng rng(7);
  Model model;
  nn::SelectorConfig selector;
  selector.encoder.dim = 8;
  selector.encoder.heads = 2;
  selector.encoder.layers = 2;
  selector.encoder.dilations = {1, 2};
  const Tokenizer letters({}, {"(", ")", "+", "0", "1", "é"}, Specials::kInput);
  model.modules["selector"] = to_module(SelectorModel{
      selector, letters, random_weights(nn::selector_tensors(selector, letters.size()), rng)});
  nn::SolverConfig solver;
  solver.encoder.dim = 8;
  solver.encoder.heads = 2;
  solver.encoder.layers = 1;
  solver.decoder.layers = 1;
  const Tokenizer both({}, {"(", ")", "+", "0", "1", "2"}, Specials::kOutput);
  model.modules["solver"] = to_module(
      SolverModel{solver, both, both, -0.25,
                  random_weights(nn::solver_tensors(solver, both.size(), both.size()), rng)});
  model.name = "tiny";
  model.program = "nrs test";
  model.recipe = "name = \"tiny\"\n[data]\n";
  model.data_hash = "0123456789abcdef";
  model.seed = std::numeric_limits<std::uint64_t>::max();
  model.results = R"({"accuracy":1.0})";
  return model;
}

Model reload(const Model& model) {
  return parse_model(TensorFile::parse(serialise_model(model), "some.nrs"), {});
}

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.line();
  }
  return "accepted";
}

// The message of loading a tiny model whose texts and tensors have been changed behind its back.
using Change = std::function<void(Metadata& metadata, std::vector<TensorView>& tensors)>;
std::string message_after(const Change& change) {
  const std::string bytes = serialise_model(tiny_model());
  const TensorFile file = TensorFile::parse(bytes, "some.nrs");
  Metadata metadata = file.metadata();
  std::vector<TensorView> tensors(file.tensors().begin(), file.tensors().end());
  change(metadata, tensors);
  const std::string changed = serialise_tensors(metadata, tensors);
  return message_of([&] { parse_model(TensorFile::parse(changed, "some.nrs"), {}); });
}

std::string message_after_json(const char* key, const std::function<void(Json&)>& change) {
  return message_after([&](Metadata& metadata, auto&) {
    Json json = Json::parse(metadata[key]);
    change(json);
    metadata[key] = json.dump();
  });
}

TensorView& named(std::vector<TensorView>& tensors, std::string_view name) {
  return *std::find_if(tensors.begin(), tensors.end(),
                       [&](const TensorView& tensor) { return tensor.name == name; });
}

#define EXPECT_SAYS(message, ...)                                                         \
  do {                                                                                    \
    const std::string said = (message);                                                   \
    for (const char* part : {__VA_ARGS__}) {                                              \
      EXPECT_NE(said.find(part), said.npos) << '"' << said << "\" does not say " << part; \
    }                                                                                     \
  } while (false)

TEST(ModelFile, LoadsWhatItSaved) {
  const fs::path path = fs::temp_directory_path() / fmt::format("nrs-model-{}.nrs", ::getpid());
  Model model = tiny_model();
  model.certificate = R"({"leaves":166})";
  save_model(path, model);
  const Model loaded = load_model(path);
  fs::remove(path);
  EXPECT_EQ(loaded.modules.at("selector").weights, model.modules.at("selector").weights);
  EXPECT_EQ(loaded.modules.at("solver").weights, model.modules.at("solver").weights);
  EXPECT_EQ(selector_of(loaded).tokens.tokens(), selector_of(model).tokens.tokens());
  EXPECT_EQ(solver_of(loaded).output.size(), solver_of(model).output.size());
  EXPECT_EQ(solver_of(loaded).min_log_prob, -0.25);
  EXPECT_EQ(selector_of(loaded).config.encoder.dilations, (std::vector<int>{1, 2}));
  EXPECT_EQ(loaded.name, "tiny");
  EXPECT_EQ(loaded.program, "nrs test");
  EXPECT_EQ(loaded.recipe, model.recipe);
  EXPECT_EQ(loaded.data_hash, model.data_hash);
  EXPECT_EQ(loaded.seed, model.seed);
  EXPECT_EQ(loaded.results, model.results);
  EXPECT_EQ(loaded.certificate, model.certificate);
}

TEST(ModelFile, SavingTheLoadedModelGivesTheSameBytes) {
  const Model model = tiny_model();
  EXPECT_EQ(serialise_model(reload(model)), serialise_model(model));
}

TEST(ModelFile, OneModuleAloneIsAModel) {
  Model model = tiny_model();
  model.modules.erase("selector");
  EXPECT_FALSE(reload(model).has("selector"));
  model.modules.erase("solver");
  EXPECT_SAYS(message_of([&] { serialise_model(model); }), "no module");
}

TEST(ModelFile, KeepsSeparateVocabularies) {
  Rng rng(1);
  Model model = tiny_model();
  SolverModel solver = solver_of(model);
  solver.config.shared_vocabulary = false;
  solver.config.token_rules = {"[0-9]+"};
  solver.input = Tokenizer(TokenRules({"[0-9]+"}), {"(", ")", "10"}, Specials::kInput);
  solver.output = Tokenizer(TokenRules({"[0-9]+"}), {"7"}, Specials::kOutput);
  solver.weights = random_weights(
      nn::solver_tensors(solver.config, solver.input.size(), solver.output.size()), rng);
  model.modules["solver"] = to_module(solver);
  const Model loaded = reload(model);
  EXPECT_EQ(solver_of(loaded).input.encode("(10)").ids.size(), 3u);
  EXPECT_EQ(solver_of(loaded).output.tokens(), (std::vector<std::string>{"7"}));
}

// Files that an earlier build has written.
TEST(ModelFile, ReadsAStoredFile) {
  const Model model = load_model(fs::path(__FILE__).parent_path() / "data" / "tiny.nrs");
  EXPECT_EQ(model.modules.at("selector").weights, selector_of(tiny_model()).weights);
  EXPECT_EQ(model.modules.at("solver").weights, solver_of(tiny_model()).weights);
  EXPECT_EQ(model.recipe, tiny_model().recipe);
}

// With a Selector that writes the last leaf.
Model tiny_writer() {
  Rng rng(8);
  Model model = tiny_model();
  SelectorModel selector = selector_of(model);
  selector.config.kind = nn::SelectorKind::kLastLeaf;
  selector.config.writer.decoder.layers = 1;
  selector.output = selector.tokens =
      Tokenizer({}, {"(", ")", "+", "0", "1", "é"}, Specials::kOutput);
  const int vocabulary = selector.tokens.size();
  selector.weights =
      random_weights(nn::selector_tensors(selector.config, vocabulary, vocabulary), rng);
  selector.window_threshold = 125;
  model.modules["selector"] = to_module(selector);
  return model;
}

TEST(ModelFile, ReadsAStoredWriter) {
  const Model model = load_model(fs::path(__FILE__).parent_path() / "data" / "tiny-writer.nrs");
  EXPECT_EQ(model.modules.at("selector").weights, selector_of(tiny_writer()).weights);
  EXPECT_EQ(selector_of(model).config.kind, nn::SelectorKind::kLastLeaf);
  EXPECT_EQ(selector_of(model).window_threshold, 125);
  EXPECT_EQ(selector_of(model).output.tokens(), selector_of(tiny_writer()).output.tokens());
}

Model tiny_router() {
  Rng rng(9);
  nn::RouterConfig config;
  config.dim = 8;
  config.heads = 2;
  Model model = tiny_model();
  model.modules.erase("selector");
  model.modules.erase("solver");
  const Tokenizer input({}, {"(", ")", "+", "0", "1"}, Specials::kInput);
  const Tokenizer output({}, {"0", "1", "2"}, Specials::kOutput);
  model.modules["router"] = to_module(
      RouterModel{config, input, output,
                  random_weights(nn::router_tensors(config, input.size(), output.size()), rng)});
  return model;
}

// With weights of 16 bits.
Model tiny_half() {
  Model model = tiny_model();
  round_to_half(model);
  return model;
}

// With rules that tell leaves apart.
Model tiny_ruled() {
  Model model = tiny_half();
  SelectorModel selector = selector_of(model);
  selector.config.marks = nn::Marks::kInside;
  selector.config.leaf_rules = {"[(][0-9]+[)]"};
  model.modules["selector"] = to_module(selector);
  return model;
}

TEST(ModelFile, WeightsOfSixteenBitsAreTheNearest) {
  const Model whole = tiny_model();
  const Model model = reload(tiny_half());
  ASSERT_TRUE(model.modules.at("selector").half && model.modules.at("solver").half);
  for (const auto& [name, tensor] : whole.modules.at("solver").weights) {
    const nn::Weights& rounded = model.modules.at("solver").weights.at(name);
    EXPECT_EQ(rounded.shape, tensor.shape);
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      ASSERT_NEAR(rounded.values[i], tensor.values[i], 0x1p-12) << name;  // they are below 0.5
    }
  }
  const std::size_t text = 8000;  // metadata and names, more than what the two files share
  EXPECT_LT(serialise_model(model).size(), serialise_model(whole).size() / 2 + text);
  EXPECT_EQ(serialise_model(model), serialise_model(tiny_half()));
}

TEST(ModelFile, WhatSixteenBitsCannotSayIsNotSavedInThem) {
  Model model = tiny_half();
  model.modules.at("selector").weights["selector.head.bias"].values[1] = 0.1F;
  EXPECT_SAYS(message_of([&] { serialise_model(model); }), "'selector.head.bias'", "index 1",
              "16 bits");
  model = tiny_model();
  model.modules.at("selector").weights["selector.head.bias"].values[1] = 1e6F;
  EXPECT_SAYS(message_of([&] { round_to_half(model); }), "'selector.head.bias'", "1000000",
              "too large");
}

TEST(ModelFile, RoundingTakesTheCertificate) {
  Model model = tiny_model();
  model.certificate = "{}";
  round_to_half(model);
  EXPECT_FALSE(model.certificate);
}

TEST(ModelFile, WeightsOfAModuleAreOfOneType) {
  const std::vector<Half> halves(3);
  EXPECT_SAYS(message_after([&](Metadata&, std::vector<TensorView>& t) {
                named(t, "selector.head.bias") = view_of<Half>("selector.head.bias", {3}, halves);
              }),
              "'selector.head.bias' is F16, expected F32");
}

TEST(ModelFile, RulesThatTellLeavesApartAreKept) {
  const Model model = reload(tiny_ruled());
  EXPECT_EQ(selector_of(model).config.leaf_rules, selector_of(tiny_ruled()).config.leaf_rules);
}

TEST(ModelFile, WhatItWasTrainedOnIsKept) {
  Model model = tiny_router();
  model.domains = {"logic", "algebra"};
  model.protocol = "paper";
  EXPECT_EQ(reload(model).domains, model.domains);
  EXPECT_EQ(reload(model).protocol, "paper");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["protocol"] = "some"; }), "'some'");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["domains"] = "[1]"; }), "domains");
}

TEST(ModelFile, TheGuardIsKept) {
  Model model = tiny_model();
  EXPECT_FALSE(solver_of(reload(model)).guard);
  SolverModel solver = solver_of(model);
  solver.guard = LeafGuard::of_texts({"(1+0)", "1"}, LeafGuard::kWholeTexts);
  model.modules["solver"] = to_module(solver);
  const Model loaded = reload(model);
  ASSERT_TRUE(solver_of(loaded).guard);
  EXPECT_EQ(*solver_of(loaded).guard, *solver.guard);
}

TEST(ModelFile, AGuardThatIsNotSoundIsRefused) {
  LeafGuard::Table table = LeafGuard::of_texts({"(1)"}, LeafGuard::kWholeTexts).table();
  table.next.back() = 77;
  EXPECT_THROW(LeafGuard{table}, Error);
  table = LeafGuard::of_texts({"(1)"}, LeafGuard::kWholeTexts).table();
  table.class_of[0] = 200;
  EXPECT_THROW(LeafGuard{table}, Error);
  table = LeafGuard::of_texts({"(1)"}, LeafGuard::kWholeTexts).table();
  table.accepting.pop_back();
  EXPECT_THROW(LeafGuard{table}, Error);
}

class SharedModules : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    save_model(folder / "one.nrs", tiny_model());
    Model other = join_models(tiny_writer(), tiny_model(), "other");
    other.shared["solver"] = {"one.nrs", module_checksum("solver", other.module("solver"))};
    save_model(folder / "other.nrs", other);
  }
};

TEST_F(SharedModules, AreReadFromTheFileThatHasThem) {
  const Model loaded = load_model(folder / "other.nrs");
  EXPECT_EQ(loaded.modules.at("solver").weights, solver_of(tiny_model()).weights);
  EXPECT_EQ(loaded.shared.at("solver").file, "one.nrs");
  const TensorFile file = TensorFile::load(folder / "other.nrs");
  for (const TensorView& tensor : file.tensors()) EXPECT_FALSE(tensor.name.starts_with("solver."));
}

TEST_F(SharedModules, MustBeThoseThatTheModelWasMadeWith) {
  Model changed = tiny_model();
  SolverModel solver = solver_of(changed);
  solver.min_log_prob = -3;
  changed.modules["solver"] = to_module(solver);
  save_model(folder / "one.nrs", changed);
  EXPECT_SAYS(message_of([&] { load_model(folder / "other.nrs"); }), "one.nrs", "another one");
  fs::remove(folder / "one.nrs");
  EXPECT_THROW(load_model(folder / "other.nrs"), Error);
}

TEST_F(SharedModules, AreInTheSameFolder) {
  Model model = load_model(folder / "other.nrs");
  model.shared["solver"].file = "../one.nrs";
  save_model(folder / "far.nrs", model);
  EXPECT_SAYS(message_of([&] { load_model(folder / "far.nrs"); }), "'../one.nrs'",
              "name of a file");
}

TEST(ModelFile, AWriterHasBothVocabularies) {
  Model model = tiny_writer();
  SelectorModel selector = selector_of(model);
  selector.output = Tokenizer({}, {"("}, Specials::kOutput);
  model.modules["selector"] = to_module(selector);
  EXPECT_THROW(check_model(model), Error);
  model = tiny_writer();
  model.modules.at("selector").weights.erase("selector.decoder.layer0.cross.match_bias");
  EXPECT_THROW(check_model(model), Error);
}

TEST(JoinModels, TellsOfTheSelectorOfOneAndTheSolverOfTheOther) {
  Model one = tiny_writer();
  one.recipe =
      "name = 'one'\n\n[data]\nfolder = 'a'\n\n[selector]\nkind = 'x'\n\n[train.selector]\nsteps = "
      "1\n";
  one.results = R"({"selector":{"known":1},"solver":{"known":2}})";
  one.modules.erase("solver");
  Model other = tiny_model();
  other.recipe =
      "name = 'other'\n\n[data]\nfolder = 'b'\n\n[selector.encoder]\ndim = 8\n\n[solver]\ny = 1\n";
  other.results = R"({"selector":{"known":3},"solver":{"known":4}})";
  other.certificate = "{}";
  const Model joined = reload(join_models(one, other, "both"));
  EXPECT_EQ(joined.name, "both");
  EXPECT_EQ(joined.modules.at("selector").weights, one.modules.at("selector").weights);
  EXPECT_EQ(joined.modules.at("solver").weights, other.modules.at("solver").weights);
  EXPECT_EQ(joined.recipe,
            "name = 'other'\n\n[data]\nfolder = 'b'\n\n[solver]\ny = 1\n"
            "[selector]\nkind = 'x'\n\n[train.selector]\nsteps = 1\n");
  EXPECT_EQ(Json::parse(joined.results),
            Json::parse(R"({"selector":{"known":1},"solver":{"known":4}})"));
  EXPECT_FALSE(joined.certificate);
  EXPECT_THROW(join_models(other, one, "none"), Error);
}

TEST(JoinModels, EachModuleKeepsItsBits) {
  const Model joined = reload(join_models(tiny_half(), tiny_model(), "both"));
  EXPECT_TRUE(joined.modules.at("selector").half);
  EXPECT_FALSE(joined.modules.at("solver").half);
}

TEST(ModelFile, RefusesOtherFormatsWithBothNumbers) {
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["format_version"] = "9"; }),
              "some.nrs: ", "format '9'", "reads 1.0");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["format_version"] = "5"; }), "format '5'");
}

TEST(ModelFile, RefusesOtherSafetensorsFiles) {
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m.erase("format"); }), "not a model");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["format"] = "pt"; }), "'pt'", "nrs-model");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["surprise"] = "x"; }), "'surprise'");
  for (const char* key : {"name", "program", "recipe", "data_hash", "seed", "results"}) {
    EXPECT_SAYS(message_after([&](Metadata& m, auto&) { m.erase(key); }), key, "missing");
  }
}

TEST(ModelFile, NamesTheTensorThatDoesNotFit) {
  const auto lose = [](Metadata&, std::vector<TensorView>& t) {
    std::erase_if(t, [](const TensorView& tensor) { return tensor.name == "selector.head.bias"; });
  };
  EXPECT_SAYS(message_after(lose), "some.nrs: ", "'selector.head.bias'", "missing");
  const auto rename = [](const char* to) {
    return [to](Metadata&, std::vector<TensorView>& t) { named(t, "solver.head.bias").name = to; };
  };
  EXPECT_SAYS(message_after(rename("solver.head.bias2")), "'solver.head.bias'", "missing");
  EXPECT_SAYS(message_after(rename("head.bias")), "'head.bias'", "no module");
  const std::vector<float> one(1);
  EXPECT_SAYS(message_after([&](Metadata&, std::vector<TensorView>& t) {
                t.push_back(view_of<float>("solver.extra", {1}, one));
              }),
              "'solver.extra'", "not part of");
  EXPECT_SAYS(message_after([&](Metadata&, std::vector<TensorView>& t) {
                named(t, "selector.head.bias").shape = {1, 3};
              }),
              "'selector.head.bias'", "[1, 3]", "[3]");
  const std::vector<std::uint8_t> bytes(12);
  EXPECT_SAYS(message_after([&](Metadata&, std::vector<TensorView>& t) {
                named(t, "selector.head.bias") =
                    view_of<std::uint8_t>("selector.head.bias", {12}, bytes);
              }),
              "'selector.head.bias'", "U8", "F32");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m.erase("solver"); }), "'solver.",
              "no module");
}

TEST(ModelFile, NamesTheWeightThatIsNotFinite) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    const std::vector<float> values{0, bad, 0};
    EXPECT_SAYS(message_after([&](Metadata&, std::vector<TensorView>& t) {
                  named(t, "selector.head.bias") =
                      view_of<float>("selector.head.bias", {3}, values);
                }),
                "'selector.head.bias'", "index 1");
    Model model = tiny_model();
    model.modules.at("selector").weights["selector.head.bias"].values[2] = bad;
    const fs::path path = fs::temp_directory_path() / fmt::format("nrs-never-{}.nrs", ::getpid());
    EXPECT_SAYS(message_of([&] { save_model(path, model); }), path.c_str(), "index 2");
    EXPECT_FALSE(fs::exists(path));
    fs::remove(path);
  }
}

TEST(ModelFile, NamesTheFieldThatIsWrong) {
  EXPECT_SAYS(message_after_json("selector", [](Json& j) { j["config"]["encoder"]["dim"] = 5; }),
              "some.nrs: selector.encoder", "dim 5");
  EXPECT_SAYS(message_after_json("selector", [](Json& j) { j["config"]["encoder"]["dim"] = 12; }),
              "[7, 8]", "[7, 12]");
  EXPECT_SAYS(message_after_json("selector", [](Json& j) { j["config"]["encoder"]["dim"] = -8; }),
              "selector.config.encoder.dim", "-8", "4096");
  EXPECT_SAYS(message_after_json("selector", [](Json& j) { j["config"]["encoder"]["dim"] = 8.5; }),
              "selector.config.encoder.dim", "whole");
  EXPECT_SAYS(
      message_after_json("selector", [](Json& j) { j["config"]["encoder"]["dim"] = 1L << 40; }),
      "selector.config.encoder.dim", "out of range");
  EXPECT_SAYS(message_after_json("selector", [](Json& j) { j["config"]["marks"] = "some"; }),
              "selector.config.marks", "begin_inside");
  EXPECT_SAYS(message_after_json("selector", [](Json& j) { j["config"].erase("marks"); }),
              "selector.config", "'marks'", "missing");
  EXPECT_SAYS(message_after_json("selector", [](Json& j) { j["config"]["mark"] = 1; }),
              "selector.config", "'mark'", "unknown");
  EXPECT_SAYS(message_after_json("selector",
                                 [](Json& j) {
                                   j["config"]["encoder"]["dilations"] = {1, "2"};
                                 }),
              "selector.config.encoder.dilations", "whole");
  EXPECT_SAYS(message_after_json("solver", [](Json& j) { j["min_log_prob"] = 0.5; }),
              "solver.min_log_prob", "0.5");
  EXPECT_SAYS(message_after_json("solver", [](Json& j) { j["min_log_prob"] = nullptr; }),
              "solver.min_log_prob", "number");
  EXPECT_SAYS(message_after_json("solver", [](Json& j) { j = Json::array(); }), "solver", "object");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["solver"] = "{"; }), "solver", "JSON");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["results"] = "[]"; }), "results", "object");
  EXPECT_SAYS(message_after([](Metadata& m, auto&) { m["seed"] = "-1"; }), "seed", "'-1'");
}

TEST(ModelFile, RefusesAVocabularyThatDoesNotFit) {
  const auto input = [](const char* token) {
    return [token](Json& j) { j["input_vocabulary"]["tokens"][0] = token; };
  };
  EXPECT_SAYS(message_after_json("solver", input("!")), "vocabulary", "differs");
  EXPECT_SAYS(message_after_json("solver", input(")")), "vocabulary", "twice");
  EXPECT_SAYS(
      message_after_json("selector", [](Json& j) { j["vocabulary"]["tokens"].push_back("9"); }),
      "'selector.encoder.embedding'", "[7, 8]", "[8, 8]");
}

TEST(ModelFile, CannotSaveATokenThatIsNotText) {
  SelectorModel selector = selector_of(tiny_model());
  std::vector<std::string> tokens = selector.tokens.tokens();
  tokens.back() = "\xff";
  selector.tokens = Tokenizer({}, tokens, Specials::kInput);
  EXPECT_SAYS(message_of([&] { to_module(selector); }), "selector", "UTF-8");
}

TEST(ModelFile, FindsDamageAnywhere) {
  const std::string good = serialise_model(tiny_model());
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Rng rng(seed);
    std::string bad = good;
    const auto at = static_cast<std::size_t>(rng.below(bad.size()));
    bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ (1 + rng.below(255)));
    EXPECT_NE(message_of([&] { parse_model(TensorFile::parse(bad, "x"), {}); }), "accepted")
        << seed;
  }
}

TEST(ParseJson, RefusesWhatAConfigurationCannotBe) {
  const auto message = [](const std::string& text) {
    return message_of([&] { parse_json(text, "part"); });
  };
  EXPECT_EQ(message(R"({"a":[{"b":1},{"b":1}]})"), "accepted");
  EXPECT_SAYS(message(R"({"a":1,"b":{},"a":2})"), "part", "'a'", "twice");
  EXPECT_SAYS(message(R"({"x":{"a":1,"a":2}})"), "part", "'a'", "twice");
  EXPECT_SAYS(message(std::string(100'000, '[')), "part", "deep");
  EXPECT_SAYS(message("{\"a\":\"\xff\"}"), "part", "UTF-8");
  EXPECT_SAYS(message("{\"a\":1e999}"), "part");
}

nn::EncoderConfig paper_encoder(int dim, int layers, int window) {
  nn::EncoderConfig config{.dim = dim, .layers = layers, .norm = nn::Norm::kPost};
  config.positions = window > 0 ? nn::Positions::kLabel : nn::Positions::kSinusoid;
  if (window > 0) config.dilations.assign(static_cast<std::size_t>(layers), 1);
  config.window = std::max(window, 1);
  return config;
}

TEST(TensorNames, ThePaperSelectorsHaveThePublishedSizes) {
  const auto count = [](int vocabulary, int layers) {
    const nn::SelectorConfig config{.marks = nn::Marks::kInside,
                                    .encoder = paper_encoder(256, layers, 1)};
    return parameter_count(nn::selector_tensors(config, vocabulary));
  };
  EXPECT_EQ(count(34, 3), 2'378'755u);
  EXPECT_EQ(count(16, 4), 3'163'907u);
  EXPECT_EQ(count(106, 4), 3'186'947u);
  EXPECT_EQ(count(1216, 6), 5'050'627u);
  EXPECT_EQ(count(1350, 4), 3'505'411u);
}

TEST(TensorNames, ThePaperSolversHaveThePublishedSizes) {
  const auto count = [](int dim, int layers, int input, int output) {
    const nn::SolverConfig config{
        .shared_vocabulary = false,
        .encoder = paper_encoder(dim, layers, 0),
        .decoder = {.layers = layers, .ff_residual = false, .positions = nn::Positions::kSinusoid}};
    return parameter_count(nn::solver_tensors(config, input, output));
  };
  EXPECT_EQ(count(64, 1, 34, 32), 123'040u);
  EXPECT_EQ(count(128, 2, 19, 14), 931'726u);
  EXPECT_EQ(count(256, 3, 16, 15), 5'541'391u);
  EXPECT_EQ(count(256, 2, 20, 21), 3'702'293u);
  EXPECT_EQ(count(320, 4, 55, 45), 11'556'205u);
}

// What a command prints, or nothing if it fails.
std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), size);
  }
  return ::pclose(pipe) == 0 ? output : std::string();
}

TEST(ModelFile, AnIndependentReaderOpensIt) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"}) {
    if (python.empty() &&
        !output_of(std::string(candidate) + " -c 'import numpy; print(1)'").empty()) {
      python = candidate;
    }
  }
  if (python.empty()) GTEST_SKIP() << "no Python with NumPy";
  const fs::path script = fs::path(__FILE__).parent_path() / "read_model.py";
  for (const Model& model : {tiny_model(), tiny_half()}) {
    const fs::path path = fs::temp_directory_path() / fmt::format("nrs-read-{}.nrs", ::getpid());
    save_model(path, model);
    const std::string output = output_of(python + " " + script.string() + " " + path.string());
    fs::remove(path);
    std::string expected =
        "metadata crc32 data_hash domains format format_version name program protocol recipe "
        "results seed selector "
        "solver\n";
    for (const nn::WeightMap* weights :
         {&model.modules.at("selector").weights, &model.modules.at("solver").weights}) {
      for (const auto& [name, tensor] : *weights) {
        double sum = 0;
        for (const float value : tensor.values) sum += value;
        expected += fmt::format("{} [{}] {:.6f}\n", name, fmt::join(tensor.shape, ", "), sum);
      }
    }
    EXPECT_EQ(output, expected);
  }
}

}  // namespace
}  // namespace nrs::model

// The runtime against the torch modules: the same weights, the same inputs, the same answers.
#include <gtest/gtest.h>
#include <torch/types.h>

#include "learn/nets/nets.h"
#include "learn/train/export.h"
#include "mark_logits.h"
#include "random_model.h"
#include "runtime/leaf_writer.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs {
namespace {

const std::string kAlphabet = "()+-*0123456789ab";

// What logits may differ by. Between the matrix products both compute the same bits
// (kernel_parity_test.cc); in a product torch adds in another order, and the bias last.
constexpr double kRounding = 2e-5;

// Sets the parameters of a module to those of a model file.
template <class Net>
std::shared_ptr<Net> with_weights(std::shared_ptr<Net> net, const nn::WeightMap& weights,
                                  std::string_view prefix) {
  const torch::NoGradGuard no_grad;
  for (auto& entry : net->named_parameters()) {
    const nn::Weights& from = weights.at(std::string(prefix) + entry.key());
    std::copy(from.values.begin(), from.values.end(), entry.value().template data_ptr<float>());
  }
  return net;
}

struct Named {
  const char* name;
  nn::SelectorConfig selector;
  nn::SolverConfig solver;
};

// Ours, the paper's, and what neither has.
std::vector<Named> configurations() {
  std::vector<Named> all{{"ours", {}, {}}, {"paper", {}, {}}, {"mixed", {}, {}}};
  all[0].selector.encoder.dilations = {1, 2, 4, 8, 16, 1};
  all[0].solver.encoder.max_positions = 128;
  Named& paper = all[1];
  paper.selector.token_rules = {"[0-9]+"};
  paper.selector.marks = nn::Marks::kInside;
  for (nn::EncoderConfig* encoder : {&paper.selector.encoder, &paper.solver.encoder}) {
    encoder->norm = nn::Norm::kPost;
    encoder->activation = nn::Activation::kRelu;
    encoder->positions_every_layer = true;
    encoder->relative_slots = false;
    encoder->place_values = 0;
    encoder->max_positions = 128;
  }
  paper.selector.encoder.positions = nn::Positions::kLabel;
  paper.selector.encoder.layers = 4;
  paper.selector.encoder.dilations = {1, 1, 1, 1};
  paper.solver.encoder.positions = nn::Positions::kSinusoid;
  paper.solver.shared_vocabulary = false;
  paper.solver.decoder = {.layers = 2,
                          .ff_residual = false,
                          .positions = nn::Positions::kSinusoid,
                          .positions_every_layer = true,
                          .direction = nn::Direction::kLeftToRight,
                          .max_length = 12};
  Named& mixed = all[2];
  mixed.selector.encoder.dim = 30;
  mixed.selector.encoder.heads = 3;
  mixed.selector.encoder.layers = 2;
  mixed.selector.encoder.window = 3;
  mixed.selector.encoder.dilations = {2, 1};
  mixed.selector.encoder.place_values = 3;
  mixed.solver.encoder.dim = 24;
  mixed.solver.encoder.positions = nn::Positions::kLabel;
  mixed.solver.decoder.ff_residual = false;
  mixed.solver.decoder.positions = nn::Positions::kNone;
  return all;
}

std::vector<std::string> inputs(std::size_t count, std::size_t longest) {
  Rng rng(11);
  std::vector<std::string> texts{"(", "7", "ab"};
  while (texts.size() < count) {
    texts.push_back(random_text(1 + rng.below(longest), kAlphabet, rng));
  }
  return texts;
}

void add_row(const std::string& text, const model::Tokenizer& tokenizer, std::uint64_t seed,
             nn::TokenRows& rows) {
  const model::Tokens encoded = tokenizer.encode(text);
  rows.add(encoded.ids);
  rows.add_places(encoded.places);
  rows.seeds.push_back(seed);
}

TEST(Parity, SelectorLogitsAndMarks) {
  const torch::NoGradGuard no_grad;
  for (const Named& named : configurations()) {
    model::SelectorModel model = random_selector(named.selector, kAlphabet, 21);
    std::vector<std::string> texts = inputs(1000, 40);
    Rng rng(12);
    texts.push_back(random_text(10'000, kAlphabet, rng));
    // With token rules any number may occur, and must be in the vocabulary.
    model::VocabularyBuilder builder{model::TokenRules(named.selector.token_rules)};
    for (const std::string& text : texts) builder.add(text);
    model.tokens = builder.build(model::Specials::kInput);
    model.weights = random_weights(nn::selector_tensors(named.selector, model.tokens.size()), 21);
    const auto net =
        with_weights(std::make_shared<learn::SelectorNet>(named.selector, model.tokens.size(), 1),
                     model.weights, nn::kSelectorPrefix);
    const runtime::ModelSelector selector(model);
    double worst = 0;
    std::size_t other = 0;
    for (const std::string& text : texts) {
      nn::TokenRows rows;
      add_row(text, model.tokens, runtime::ModelSelector::label_seed(text), rows);
      const torch::Tensor expected = net->forward(rows);
      std::vector<float> logits = mark_logits(selector, model, text);
      const torch::Tensor found = torch::from_blob(logits.data(), expected.sizes());
      worst = std::max(worst, (found - expected).abs().max().item<double>());
      other += (found.argmax(-1) != expected.argmax(-1)).sum().item<std::int64_t>();
    }
    EXPECT_LT(worst, kRounding) << named.name;
    EXPECT_EQ(other, 0U) << named.name;
  }
}

// Drives the runtime's networks along the symbols that torch writes.
template <class Runtime>
double worst_difference(const Runtime& solver, const learn::SolverNet& net,
                        const nn::TokenRows& leaves,
                        const std::vector<std::vector<std::int32_t>>& symbols) {
  nn::TokenRows written;
  for (const auto& row : symbols) {
    std::vector<std::int32_t> prefix{model::kStartId};
    prefix.insert(prefix.end(), row.begin(), row.end() - 1);
    written.add(prefix);
  }
  const torch::Tensor expected = net.forward(leaves, written);
  const nn::Decoder& decoder = solver.network().decoder();
  nn::EncoderScratch scratch;
  nn::DecoderState state;
  const float* memory = solver.network().encoder().run(leaves, scratch);
  decoder.begin(leaves.packing.rows(), state);
  std::vector<std::vector<float>> kept(decoder.layers());
  for (std::size_t layer = 0; layer < kept.size(); ++layer) {
    kept[layer].resize(leaves.ids.size() * 2 * static_cast<std::size_t>(decoder.dim()));
    decoder.remember(layer, memory, leaves.packing.tokens(), kept[layer].data());
    for (std::int64_t r = 0; r < leaves.packing.rows(); ++r) {
      const float* rows = kept[layer].data() + leaves.packing.begin(r) * 2 * decoder.dim();
      state.layers[layer].read[static_cast<std::size_t>(r)].before = {
          rows, rows + decoder.dim(), 2 * decoder.dim(), leaves.packing.length(r)};
    }
  }
  const auto steps = static_cast<std::int64_t>(symbols[0].size());
  double worst = 0;
  for (std::int64_t step = 0; step < steps; ++step) {
    std::vector<nn::Written> now;
    for (std::size_t r = 0; r < symbols.size(); ++r) {
      const auto at =
          static_cast<std::size_t>(written.packing.begin(static_cast<std::int64_t>(r)) + step);
      now.push_back({static_cast<std::int32_t>(r), written.ids[at]});
    }
    const float* logits = decoder.next(now, static_cast<int>(step), state);
    const std::int64_t width = decoder.vocabulary();
    for (std::size_t r = 0; r < symbols.size(); ++r) {
      const std::int64_t at = written.packing.begin(static_cast<std::int64_t>(r)) + step;
      const float* row = expected.data_ptr<float>() + at * width;
      for (std::int64_t v = 0; v < width; ++v) {
        worst = std::max(
            worst, std::abs(double{row[v]} - logits[static_cast<std::int64_t>(r) * width + v]));
      }
    }
  }
  return worst;
}

// The value that was written, if it is one.
std::optional<std::string> value_of(const std::vector<std::int32_t>& symbols,
                                    const model::Tokenizer& output, nn::Direction direction) {
  const auto end = std::find(symbols.begin(), symbols.end(), model::kEndId);
  if (end == symbols.end()) return std::nullopt;
  const std::vector<std::int32_t> value(symbols.begin(), end);
  for (const std::int32_t symbol : value) {
    if (symbol <= model::kOmegaId) return std::nullopt;
  }
  return output.decode(value, direction);
}

TEST(Parity, SolverLogitsAndValues) {
  const torch::NoGradGuard no_grad;
  std::size_t answered = 0;
  for (const Named& named : configurations()) {
    const model::SolverModel model = random_solver(named.solver, kAlphabet, 31);
    const auto net = with_weights(
        std::make_shared<learn::SolverNet>(
            named.solver, learn::SolverVocabulary{model.input.size(), model.output.size()}, 1),
        model.weights, nn::kSolverPrefix);
    const runtime::ModelSolver solver(model);
    const std::vector<std::string> texts = inputs(1000, 25);
    nn::TokenRows leaves;
    for (const std::string& text : texts) {
      add_row(text, model.input, runtime::ModelSolver::label_seed(text), leaves);
    }
    const auto symbols = net->write_greedily(leaves, named.solver.decoder.max_length);
    EXPECT_LT(worst_difference(solver, *net, leaves, symbols), kRounding) << named.name;
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    const std::vector<Solution> solutions = solver.solve(views);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto value = value_of(symbols[i], model.output, model.config.decoder.direction);
      answered += value.has_value() ? 1 : 0;
      const bool omega = symbols[i][0] == model::kOmegaId && symbols[i][1] == model::kEndId;
      EXPECT_EQ(solutions[i].omega, omega) << named.name;
      EXPECT_EQ(solutions[i].value, value.value_or("")) << named.name << ": " << texts[i];
    }
  }
  EXPECT_GT(answered, 100U);
}

TEST(Parity, LeafWriterLogitsAndLeaves) {
  const torch::NoGradGuard no_grad;
  std::size_t answered = 0;
  for (Named& named : configurations()) {
    nn::SelectorConfig& config = named.selector;
    config.kind = nn::SelectorKind::kLastLeaf;
    config.token_rules.clear();
    config.writer.cross = config.encoder.positions == nn::Positions::kLabel ? nn::Cross::kSoftmax
                                                                            : nn::Cross::kLastMatch;
    config.writer.shared_vocabulary = named.solver.shared_vocabulary;
    config.writer.decoder = named.solver.decoder;
    const model::SelectorModel model = random_writer(config, kAlphabet, 41);
    const auto net =
        with_weights(std::make_shared<learn::SolverNet>(
                         nn::writer_network(config),
                         learn::SolverVocabulary{model.tokens.size(), model.output.size()}, 1),
                     model.weights, nn::kSelectorPrefix);
    const runtime::ModelLeafWriter writer(model, {.retry = 0});
    const std::vector<std::string> texts = inputs(300, 60);
    nn::TokenRows formulas;
    std::vector<std::unique_ptr<LeafWriter::Draft>> owners;
    std::vector<LeafWriter::Draft*> drafts;
    for (const std::string& text : texts) {
      add_row(text, model.tokens, writer.label_seed(text, 0), formulas);
      owners.push_back(writer.begin(text));
      drafts.push_back(owners.back().get());
    }
    const nn::DecoderConfig& decoder = config.writer.decoder;
    const auto symbols = net->write_greedily(formulas, decoder.max_length);
    EXPECT_LT(worst_difference(writer, *net, formulas, symbols), kRounding) << named.name;
    const auto candidates = writer.write(drafts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto leaf = value_of(symbols[i], model.output, decoder.direction);
      answered += leaf.has_value() ? 1 : 0;
      ASSERT_EQ(candidates[i].size(), leaf ? 1U : 0U) << named.name;
      if (!leaf) continue;
      EXPECT_EQ(candidates[i][0].text, *leaf) << named.name << ": " << texts[i];
    }
  }
  EXPECT_GT(answered, 100U);
}

}  // namespace
}  // namespace nrs

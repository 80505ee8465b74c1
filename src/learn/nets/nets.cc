#include "learn/nets/nets.h"

#include <torch/autograd.h>

#include "model/config_check.h"
#include "model/tokenizer.h"

namespace nrs::learn {

SelectorNet::SelectorNet(const nn::SelectorConfig& config, int vocabulary, std::uint64_t seed)
    : config_(config) {
  model::check(config);
  Rng rng(seed);
  encoder_ = register_module("encoder", std::make_shared<Encoder>(config.encoder, vocabulary, rng));
  head_ =
      register_module("head", std::make_shared<Dense>(config.encoder.dim, nn::kMarkClasses, rng));
}

torch::Tensor SelectorNet::forward(const nn::TokenRows& formulas, Pass pass) const {
  Dropout dropout(config_.encoder.dropout, pass);
  const Rows rows = std::make_shared<const nn::Packing>(formulas.packing);
  return head_->forward(encoder_->forward(formulas, rows, dropout));
}

SolverNet::SolverNet(const nn::SolverConfig& config, SolverVocabulary vocabulary,
                     std::uint64_t seed)
    : config_(config) {
  model::check(config);
  Rng rng(seed);
  encoder_ =
      register_module("encoder", std::make_shared<Encoder>(config.encoder, vocabulary.input, rng));
  decoder_ = register_module(
      "decoder",
      std::make_shared<Decoder>(config, config.shared_vocabulary ? 0 : vocabulary.output, rng));
  head_ =
      register_module("head", std::make_shared<Dense>(config.encoder.dim, vocabulary.output, rng));
}

Memory SolverNet::read(const nn::TokenRows& leaves, Dropout& dropout) const {
  const Rows rows = std::make_shared<const nn::Packing>(leaves.packing);
  return {encoder_->forward(leaves, rows, dropout), rows};
}

torch::Tensor SolverNet::write(const nn::TokenRows& written, const Memory& memory,
                               Dropout& dropout) const {
  return head_->forward(decoder_->forward({written, encoder_->table(), memory}, dropout));
}

torch::Tensor SolverNet::forward(const nn::TokenRows& leaves, const nn::TokenRows& written,
                                 Pass pass) const {
  Dropout dropout(config_.encoder.dropout, pass);
  return write(written, read(leaves, dropout), dropout);
}

std::vector<std::vector<std::int32_t>> SolverNet::write_greedily(const nn::TokenRows& leaves,
                                                                 int steps) const {
  const torch::NoGradGuard no_grad;
  Dropout dropout(0, Pass{});
  const Memory memory = read(leaves, dropout);
  const auto rows = static_cast<std::size_t>(leaves.packing.rows());
  std::vector<std::vector<std::int32_t>> prefixes(rows, {model::kStartId});
  for (int step = 0; step < steps; ++step) {
    nn::TokenRows written;
    for (const auto& prefix : prefixes) written.add(prefix);
    const torch::Tensor best = write(written, memory, dropout).argmax(-1).cpu();
    for (std::size_t r = 0; r < rows; ++r) {
      const std::int64_t last = written.packing.end(static_cast<std::int64_t>(r)) - 1;
      prefixes[r].push_back(static_cast<std::int32_t>(best.data_ptr<std::int64_t>()[last]));
    }
  }
  for (auto& prefix : prefixes) prefix.erase(prefix.begin());
  return prefixes;
}

RowLoss row_loss(const torch::Tensor& logits, const std::vector<std::int32_t>& targets,
                 const nn::Packing& packing) {
  torch::Tensor classes = torch::empty({static_cast<std::int64_t>(targets.size())}, torch::kInt32);
  std::copy(targets.begin(), targets.end(), classes.data_ptr<std::int32_t>());
  const TokenLoss loss = token_loss(logits, classes);
  const torch::Tensor each = loss.each.cpu().to(torch::kFloat), correct = loss.correct.cpu();
  RowLoss result{loss.mean, {}, {}};
  for (std::int64_t r = 0; r < packing.rows(); ++r) {
    float sum = 0;
    bool exact = true;
    for (std::int64_t i = packing.begin(r); i < packing.end(r); ++i) {
      sum += each.data_ptr<float>()[i];
      exact = exact && correct.data_ptr<bool>()[i];
    }
    result.rows.push_back(sum);
    result.exact.push_back(static_cast<char>(exact));
  }
  return result;
}

}  // namespace nrs::learn

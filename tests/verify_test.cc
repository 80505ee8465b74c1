// Verification: every leaf counted, every fault found, the certificate kept in the model's file.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "data/paper_counts.h"
#include "eval/origin.h"
#include "eval/verify.h"
#include "flawed_modules.h"
#include "nrs/error.h"
#include "random_model.h"
#include "temporary.h"

namespace nrs {
namespace {

const Domain& logic() {
  return find_domain("logic");
}

eval::VerifyRequest request_for(const rewrite::ModularRewriter& rewriter) {
  eval::VerifyRequest request;
  request.domain = &logic();
  request.rewriter = &rewriter;
  request.contexts = 3000;
  request.seed = 5;
  return request;
}

eval::Certificate certificate_of(const eval::Verification& verification) {
  eval::Certificate certificate;
  certificate.domains = {verification};
  return certificate;
}

TEST(Verify, TheOracleIsExact) {
  for (const Domain* domain : all_domains()) {
    if (domain->listable({1, 2}).value_or(0) > 200'000) continue;  // algebra: long, and alike
    const rewrite::OracleSelector selector(*domain);
    const rewrite::OracleSolver solver(*domain);
    const rewrite::FastNrs rewriter(selector, solver, -1);
    eval::VerifyRequest request = request_for(rewriter);
    request.domain = domain;
    const eval::Verification found = eval::verify(request);
    std::size_t leaves = 0;
    domain->for_each_leaf(FormulaSpace::kWhole,
                          [&](std::string_view, std::string_view) { ++leaves; });
    EXPECT_EQ(found.leaves.leaves, leaves);
    EXPECT_EQ(found.leaves.right, leaves);
    EXPECT_EQ(found.atoms.right, found.atoms.leaves);
    EXPECT_GE(found.selector.contexts, 3000u);
    EXPECT_GT(found.selector.distinct, 100u);
    EXPECT_LE(found.selector.distinct, found.selector.contexts);
    EXPECT_EQ(certificate_of(found).verdict(), "exact");
    EXPECT_FALSE(found.seen);
  }
}

TEST(Verify, OneWrongLeafIsFound) {
  const rewrite::OracleSelector selector(logic());
  const FlawedSolver solver(logic(), [](std::string_view leaf, Solution& solution) {
    if (leaf == "(T&F)") solution.value = "T";
    if (leaf == "q") solution = {.value = "q"};
  });
  const eval::Verification found =
      eval::verify(request_for(rewrite::FastNrs(selector, solver, -1)));
  EXPECT_EQ(found.leaves.wrong, 1u);
  EXPECT_EQ(found.leaves.right, found.leaves.leaves - 1);
  ASSERT_EQ(found.leaves.first_wrong.size(), 1u);
  EXPECT_EQ(found.leaves.first_wrong[0].leaf, "(T&F)");
  EXPECT_EQ(found.leaves.first_wrong[0].expected, "F");
  EXPECT_EQ(found.atoms.wrong, 1u);
  EXPECT_EQ(certificate_of(found).verdict(), "wrong");
  const std::string text = eval::to_text(certificate_of(found));
  EXPECT_NE(text.find("(T&F) -> T, is F"), std::string::npos) << text;
  EXPECT_NE(text.find("q -> q, is omega"), std::string::npos) << text;
}

TEST(Verify, UnsureIsNotWrong) {
  const rewrite::OracleSelector selector(logic());
  const FlawedSolver solver(logic(), [](std::string_view leaf, Solution& solution) {
    if (leaf.find('a') != std::string_view::npos) solution.log_prob = -2;
    if (leaf == "(T&a)") solution.value = "F";  // wrong, but nobody would use it
  });
  const rewrite::FastNrs rewriter(selector, solver, -1);
  eval::VerifyRequest request = request_for(rewriter);
  std::size_t heard = 0;
  request.on_failure = [&](const eval::LeafFailure& failure) { heard += failure.sure ? 0 : 1; };
  const eval::Verification found = eval::verify(request);
  EXPECT_EQ(heard, found.leaves.unsure + found.atoms.unsure);
  EXPECT_EQ(found.leaves.wrong + found.atoms.wrong, 0u);
  EXPECT_GT(found.leaves.unsure, eval::kKeptFailures);
  EXPECT_EQ(found.atoms.unsure, 1u);
  EXPECT_EQ(found.leaves.first_unsure.size(), eval::kKeptFailures);
  EXPECT_EQ(certificate_of(found).verdict(), "sound");
}

TEST(Verify, AFaultOfTheSelectorIsFoundInItsContext) {
  const rewrite::OracleSolver solver(logic());
  const FlawedSelector misses(logic(), [](std::string_view text, auto& leaves) {
    std::erase_if(leaves, [&](const SelectedLeaf& leaf) {
      return leaf.span.of(text) == "(!T)" && text.substr(leaf.span.end).starts_with("&");
    });
  });
  eval::Verification found = eval::verify(request_for(rewrite::FastNrs(misses, solver, -1)));
  EXPECT_GT(found.selector.missed, 0u);
  EXPECT_EQ(found.selector.extra, 0u);
  ASSERT_FALSE(found.selector.first_failures.empty());
  const eval::ContextFailure& first = found.selector.first_failures[0];
  EXPECT_EQ(first.span.of(first.formula), "(!T)");
  EXPECT_NE(eval::to_text(certificate_of(found)).find(" (!T) &"), std::string::npos);

  const FlawedSelector cuts(logic(), [](std::string_view text, auto& leaves) {
    if (text == "T") leaves.clear();  // a final formula has to be selected whole
    if (!leaves.empty() && text.size() > 30) --leaves[0].span.end;
  });
  found = eval::verify(request_for(rewrite::FastNrs(cuts, solver, -1)));
  EXPECT_GT(found.selector.missed, found.selector.extra);
  EXPECT_GT(found.selector.extra, 0u);
}

TEST(Verify, OfAWriterTheLastLeafIsExpected) {
  const rewrite::OracleSolver solver(logic());
  const FlawedWriter exact(logic(), [](const std::string&, std::string&) {});
  eval::Verification found = eval::verify(request_for(rewrite::Nrs(exact, solver, -1)));
  EXPECT_GE(found.selector.contexts, 3000u);
  EXPECT_EQ(certificate_of(found).verdict(), "exact");

  const FlawedWriter flawed(logic(), [](const std::string&, std::string& written) {
    if (written == "(!T)") written = "(!!)";
  });
  found = eval::verify(request_for(rewrite::Nrs(flawed, solver, -1)));
  EXPECT_GT(found.selector.missed, 0u);
  EXPECT_EQ(found.selector.extra, 0u);
}

TEST(Verify, ThreadsDoNotChangeTheCertificate) {
  const rewrite::OracleSolver solver(logic());
  const FlawedSelector misses(logic(), [](std::string_view text, auto& leaves) {
    if (text.size() % 7 == 0) leaves.clear();
  });
  const auto run = [&](int threads) {
    const rewrite::FastNrs rewriter(misses, solver, -1);
    eval::VerifyRequest request = request_for(rewriter);
    request.threads = threads;
    return eval::to_json(certificate_of(eval::verify(request))).dump();
  };
  const std::string alone = run(1);
  EXPECT_EQ(alone, run(3));
  EXPECT_NE(alone.find("first_failures"), std::string::npos);
}

TEST(Verify, SeenAndUnseenLeavesAreCountedApart) {
  const rewrite::OracleSelector selector(logic());
  const FlawedSolver solver(logic(), [](std::string_view leaf, Solution& solution) {
    if (leaf == "(T&F)") solution.value = "T";
  });
  data::SeenTexts trained;
  trained.insert("(T&T)");
  trained.insert("(F|T)");
  const rewrite::FastNrs rewriter(selector, solver, -1);
  eval::VerifyRequest request = request_for(rewriter);
  request.trained = &trained;
  const eval::Verification found = eval::verify(request);
  ASSERT_TRUE(found.seen && found.unseen);
  EXPECT_EQ(found.seen->leaves, 2u);
  EXPECT_EQ(found.seen->right, 2u);
  EXPECT_EQ(found.unseen->leaves, found.leaves.leaves - 2);
  EXPECT_EQ(found.unseen->wrong, 1u);
}

TEST(Verify, CanBeInterrupted) {
  const rewrite::OracleSelector selector(logic());
  const rewrite::OracleSolver solver(logic());
  const rewrite::FastNrs rewriter(selector, solver, -1);
  eval::VerifyRequest request = request_for(rewriter);
  request.progress = [](const eval::Verification& so_far) {
    return so_far.selector.contexts < 500;
  };
  EXPECT_THROW(eval::verify(request), eval::Interrupted);
}

TEST(TrainingData, TheLeavesOfThePapersProtocolAreMadeAgain) {
  model::Model model;
  model.seed = 3;
  model.domains = {"logic", "listops"};
  model.protocol = "paper";
  ASSERT_EQ(eval::domains_of(model).size(), 2u);
  const std::optional<data::SeenTexts> trained = eval::trained_leaves(model);
  ASSERT_TRUE(trained);
  const std::size_t counts =
      static_cast<std::size_t>(data::paper_counts(logic()).solver_train) +
      static_cast<std::size_t>(data::paper_counts(find_domain("listops")).solver_train);
  EXPECT_EQ(trained->size(), counts);
  EXPECT_TRUE(trained->contains("T"));
  model.protocol = "full";
  EXPECT_FALSE(eval::trained_leaves(model));
  model.domains.clear();
  model.protocol = "paper";
  EXPECT_FALSE(eval::trained_leaves(model));
}

class StoredCertificate : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    path = folder / "model.nrs";
    save(1);
  }
  void save(std::uint64_t seed) {
    model::Model model;
    model.name = "small";
    model.recipe = "name = 'small'\n";
    nn::SelectorConfig selector;
    selector.encoder.dim = 8;
    selector.encoder.heads = 2;
    nn::SolverConfig solver;
    solver.encoder.dim = 8;
    solver.encoder.heads = 2;
    model.modules["selector"] =
        model::to_module(random_selector(selector, std::string(logic().alphabet()), seed));
    model.modules["solver"] =
        model::to_module(random_solver(solver, std::string(logic().alphabet()), seed));
    model::save_model(path, model);
  }
  eval::Certificate certificate() const {
    eval::Certificate made;
    made.model = model::model_checksum(model::load_model(path));
    made.domains.emplace_back().domain = &logic();
    return made;
  }
  std::filesystem::path path;
};

TEST_F(StoredCertificate, ChangesNothingElseInTheFile) {
  const model::TensorFile before = model::TensorFile::load(path);
  const eval::Certificate kept = certificate();
  eval::store_certificate(path, eval::to_json(kept));
  const model::TensorFile after = model::TensorFile::load(path);
  ASSERT_EQ(after.tensors().size(), before.tensors().size());
  for (std::size_t i = 0; i < before.tensors().size(); ++i) {
    EXPECT_EQ(after.tensors()[i].name, before.tensors()[i].name);
    EXPECT_EQ(after.tensors()[i].bytes, before.tensors()[i].bytes);
  }
  model::Metadata metadata = after.metadata();
  EXPECT_EQ(metadata.at("certificate"), eval::to_json(kept).dump());
  metadata.erase("certificate");
  metadata[std::string(model::kChecksumKey)] = before.text(model::kChecksumKey);
  EXPECT_EQ(metadata, before.metadata());
  // The model has kept its name, and another certificate may take the place of this one.
  EXPECT_EQ(model::model_checksum(model::load_model(path)), before.text(model::kChecksumKey));
  eval::store_certificate(path, eval::to_json(certificate()));
}

TEST_F(StoredCertificate, IsNotPutIntoAnotherModel) {
  const eval::Certificate old = certificate();
  save(2);
  EXPECT_THROW(eval::store_certificate(path, eval::to_json(old)), Error);
  EXPECT_FALSE(model::load_model(path).certificate);
}

}  // namespace
}  // namespace nrs

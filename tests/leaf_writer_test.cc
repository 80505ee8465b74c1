// The NRS's Selector and Combiner on models with random weights: their laws hold for any weights.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "property.h"
#include "random_model.h"
#include "rewrite/modular.h"
#include "runtime/combiner.h"
#include "runtime/leaf_writer.h"
#include "runtime/sampling.h"

namespace nrs {
namespace {

const std::string kWriterAlphabet = "abc123";

nn::SelectorConfig small_writer() {
  nn::SelectorConfig config;
  config.encoder.dim = 16;
  config.encoder.heads = 2;
  config.encoder.layers = 3;
  config.encoder.dilations = {1, 2, 1};
  config.encoder.place_values = 2;
  config.writer.decoder.max_length = 6;
  return config;
}

// The paper's: labels, softmax, tokens of several characters, two vocabularies.
nn::SelectorConfig paper_writer() {
  nn::SelectorConfig config = small_writer();
  config.token_rules = {"[0-9]+"};
  config.encoder.positions = nn::Positions::kLabel;
  config.encoder.positions_every_layer = true;
  config.encoder.relative_slots = false;
  config.encoder.place_values = 0;
  config.writer.cross = nn::Cross::kSoftmax;
  config.writer.shared_vocabulary = false;
  config.writer.decoder.positions = nn::Positions::kSinusoid;
  return config;
}

std::vector<LeafCandidate> write_one(const LeafWriter& writer, const std::string& formula) {
  const auto draft = writer.begin(formula);
  LeafWriter::Draft* const drafts[] = {draft.get()};
  return writer.write(drafts).front();
}

void expect_same(const std::vector<LeafCandidate>& a, const std::vector<LeafCandidate>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].text, b[i].text);
    EXPECT_EQ(a[i].log_prob, b[i].log_prob);
    EXPECT_EQ(a[i].agreement, b[i].agreement);
    EXPECT_EQ(a[i].place, b[i].place);
    EXPECT_EQ(a[i].samples, b[i].samples);
  }
}

// The convolution as the paper writes it: one-hot vectors, the formula padded with zeros.
runtime::Match by_vectors(const std::string& formula, const std::string& leaf) {
  const auto one_hot = [](char c) {
    std::vector<float> vector(256);
    vector[static_cast<unsigned char>(c)] = 1;
    return vector;
  };
  std::vector<std::vector<float>> rows, filter;
  for (const char c : formula) rows.push_back(one_hot(c));
  for (const char c : leaf) filter.push_back(one_hot(c));
  rows.resize(formula.size() + leaf.size(), std::vector<float>(256));
  runtime::Match best;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < filter.size(); ++j) {
      for (std::size_t v = 0; v < 256; ++v) sum += rows[i + j][v] * filter[j][v];
    }
    const double agreement = static_cast<double>(sum) / static_cast<double>(leaf.size());
    if (agreement > 0 && agreement >= best.agreement) best = {i, agreement};
  }
  return best;
}

TEST(Combiner, IsTheConvolutionAndFindsWhatIsThere) {
  check_law("convolution", [] {
    const auto letters = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab(")));
    const std::string formula = *letters;
    const std::string leaf = *rc::gen::nonEmpty(letters);
    const runtime::Match match =
        runtime::best_match(std::span<const char>(formula), std::span<const char>(leaf));
    const runtime::Match expected = by_vectors(formula, leaf);
    RC_ASSERT(match.agreement == expected.agreement);
    RC_ASSERT(match.position == expected.position);
    const std::size_t found = formula.rfind(leaf);
    RC_ASSERT((match.agreement == 1) == (found != std::string::npos));
    if (match.agreement == 1) RC_ASSERT(match.position == found);
  });
}

TEST(Sampling, BinomialHasItsMeanAndVariance) {
  Rng rng(3);
  for (const auto& [count, p] : std::vector<std::pair<int, double>>{
           {1, 0.3}, {10, 0.001}, {1000, 0.5}, {1000, 0.97}, {2500, 0.2}, {7, 1}, {7, 0}}) {
    constexpr int kDraws = 20'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const int n = runtime::draw_binomial(count, p, rng);
      ASSERT_GE(n, 0);
      ASSERT_LE(n, count);
      sum += n;
      squares += double{1} * n * n;
    }
    const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
    const double expected = count * p * (1 - p);
    EXPECT_NEAR(mean, count * p, 5 * std::sqrt(expected / kDraws) + 1e-9) << count << " " << p;
    EXPECT_NEAR(variance, expected, 0.1 * expected + 1e-9) << count << " " << p;
  }
}

// M samples with shared prefixes against M drawn one by one: each output comes M * p times on the
// average, and as irregularly as it does when the samples do not know of each other.
TEST(ModelLeafWriter, SharedPrefixesGiveTheDistributionOfSingleSamples) {
  constexpr int kSamples = 40, kRuns = 1500;
  const model::SelectorModel model = random_writer(small_writer(), kWriterAlphabet, 5);
  struct Sums {
    double n = 0, squares = 0, log_prob = 0;
  };
  std::map<std::string, Sums> sums;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const runtime::ModelLeafWriter writer(model, {.samples = kSamples, .seed = seed});
    for (const LeafCandidate& candidate : write_one(writer, "ab12c3")) {
      Sums& to = sums[candidate.text];
      to.n += candidate.samples;
      to.squares += double{1} * candidate.samples * candidate.samples;
      to.log_prob = candidate.log_prob;
    }
  }
  int often = 0;
  double all = 0;
  for (const auto& [text, sum] : sums) {
    const double p = std::exp(sum.log_prob);
    all += p;
    if (p < 0.02) continue;
    ++often;
    const double variance = kSamples * p * (1 - p), mean = sum.n / kRuns;
    EXPECT_NEAR(mean, kSamples * p, 5 * std::sqrt(variance / kRuns)) << text;
    EXPECT_NEAR(sum.squares / kRuns - mean * mean, variance, 0.2 * variance) << text;
  }
  EXPECT_GE(often, 4);
  EXPECT_LE(all, 1 + 1e-6);
}

class AnyWriter : public testing::TestWithParam<int> {
 protected:
  static nn::SelectorConfig config() {
    return GetParam() == 0 ? small_writer() : GetParam() == 1 ? paper_writer() : windowed();
  }
  static nn::SelectorConfig windowed() {
    nn::SelectorConfig config = small_writer();
    config.writer.cross = nn::Cross::kSoftmax;
    return config;
  }
};

TEST_P(AnyWriter, AnswersDependOnTheFormulaOnly) {
  model::SelectorModel model = random_writer(config(), kWriterAlphabet, 7);
  for (const int samples : {0, 30}) {
    for (const int threshold : {0, 12}) {
      const runtime::LeafWriterOptions options{
          .samples = samples, .window_threshold = threshold, .seed = 1};
      runtime::LeafWriterOptions parallel = options;
      parallel.threads = 3;
      const runtime::ModelLeafWriter writer(model, options), threaded(model, parallel);
      Rng rng(9);
      std::vector<std::unique_ptr<LeafWriter::Draft>> owners;
      std::vector<LeafWriter::Draft*> drafts;
      for (int i = 0; i < 80; ++i) {
        owners.push_back(writer.begin(random_text(1 + rng.below(30), kWriterAlphabet, rng)));
        drafts.push_back(owners.back().get());
      }
      const auto together = writer.write(drafts), again = threaded.write(drafts);
      std::size_t found = 0;
      for (std::size_t i = 0; i < drafts.size(); ++i) {
        expect_same(together[i], again[i]);
        expect_same(together[i], write_one(writer, drafts[i]->formula()));
        for (const LeafCandidate& candidate : together[i]) {
          if (candidate.agreement < 1) continue;
          EXPECT_EQ(candidate.place.of(drafts[i]->formula()), candidate.text);
          ++found;
        }
      }
      EXPECT_GE(found, samples > 0 ? 20U : 0U);
    }
  }
}

// Where the likeliest output is not in the formula, samples are the candidates.
TEST_P(AnyWriter, ASecondTryDrawsAsManySamples) {
  const model::SelectorModel model = random_writer(config(), kWriterAlphabet, 7);
  const runtime::ModelLeafWriter greedy(model, {.retry = 0}), writer(model, {.retry = 30});
  Rng rng(5);
  int drawn = 0;
  for (int i = 0; i < 20; ++i) {
    const std::string text = random_text(20, kWriterAlphabet, rng);
    const auto once = write_one(greedy, text), twice = write_one(writer, text);
    if (!once.empty() && once.front().agreement >= 1) {
      expect_same(once, twice);
      continue;
    }
    int samples = 0;  // outputs that find no end are no candidates
    for (const LeafCandidate& candidate : twice) samples += candidate.samples;
    EXPECT_LE(samples, 30);
    drawn += samples;
  }
  EXPECT_GT(drawn, 100);
}

TEST_P(AnyWriter, AChangedDraftIsReadLikeANewOne) {
  const model::SelectorModel model = random_writer(config(), kWriterAlphabet, 8);
  const runtime::ModelLeafWriter writer(model, {.samples = 5});
  Rng rng(4);
  for (int round = 0; round < 20; ++round) {
    const auto draft = writer.begin(random_text(60, kWriterAlphabet, rng));
    LeafWriter::Draft* const drafts[] = {draft.get()};
    while (draft->formula().size() > 3) {
      if (rng.chance(0.8))
        expect_same(writer.write(drafts).front(), write_one(writer, draft->formula()));
      const std::size_t begin = rng.below(draft->formula().size());
      const std::size_t end = std::min(draft->formula().size(), begin + 1 + rng.below(8));
      draft->replace({begin, end}, random_text(1 + rng.below(3), kWriterAlphabet, rng));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, AnyWriter, testing::Values(0, 1, 2));

// A writer that says what it is told to.
class StubWriter : public LeafWriter {
 public:
  struct Plain : Draft {
    explicit Plain(std::string_view formula) : text(formula) {}
    const std::string& formula() const override { return text; }
    void replace(Span span, std::string_view value) override {
      text.replace(span.begin, span.size(), value);
    }
    std::string text;
  };
  explicit StubWriter(std::string leaf) : leaf_(std::move(leaf)) {}
  std::unique_ptr<Draft> begin(std::string_view formula) const override {
    return std::make_unique<Plain>(formula);
  }
  std::vector<std::vector<LeafCandidate>> write(std::span<Draft* const> drafts) const override {
    std::vector<std::vector<LeafCandidate>> all;
    for (const Draft* draft : drafts) {
      const std::size_t found = draft->formula().rfind(leaf_);
      const bool there = found != std::string::npos;
      all.push_back({{.text = leaf_,
                      .agreement = there ? 1.0 : 0.5,
                      .place = there ? Span{found, found + leaf_.size()} : Span{}}});
    }
    return all;
  }

 private:
  std::string leaf_;
};

struct StubSolver : Solver {
  explicit StubSolver(Solution answer) : answer_(std::move(answer)) {}
  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override {
    return std::vector<Solution>(leaves.size(), answer_);
  }
  Solution answer_;
};

Result run(const std::string& leaf, const Solution& answer, const std::string& formula) {
  const StubWriter writer(leaf);
  const StubSolver solver(answer);
  return rewrite::Nrs(writer, solver)
      .rewrite(formula, {.min_log_prob = -1, .max_steps = 4, .keep_rounds = true});
}

TEST(NrsEngine, EveryMistakeHasItsReason) {
  EXPECT_EQ(run("(b)", {.value = "1"}, "((a)b)").stop, Stop::kMissing);
  EXPECT_EQ(run("(b)", {.value = "1"}, "((a)b)").rejected.size(), 1U);
  EXPECT_EQ(run("(a)", {.value = "("}, "((a)b)").stop, Stop::kMalformed);
  EXPECT_EQ(run("(a)", {.value = ""}, "((a)b)").stop, Stop::kMalformed);
  EXPECT_EQ(run("(a)", {.value = "1", .log_prob = -2}, "((a)b)").stop, Stop::kLowConfidence);
  EXPECT_EQ(run("(a)", {.omega = true}, "((a)b)").stop, Stop::kLowConfidence);
  EXPECT_EQ(run("(a)", {.value = "(a)"}, "((a)b)").stop, Stop::kCycle);
  EXPECT_EQ(run("a", {.value = "aa"}, "a").stop, Stop::kStepLimit);
  EXPECT_EQ(run("a", {.value = "1"}, "").stop, Stop::kNoLeaf);
  EXPECT_EQ(run("a", {.omega = true}, "a").stop, Stop::kFinal);
}

TEST(NrsEngine, RewritesTheLastPlaceAndRecordsTheCandidates) {
  const Result result = run("(a)", {.value = "x"}, "(a)(a)");
  EXPECT_EQ(result.formula, "xx");
  EXPECT_EQ(result.steps, 2U);
  ASSERT_EQ(result.record.size(), 2U);
  EXPECT_EQ(result.record[0][0].step.leaf, (Span{3, 6}));
  EXPECT_EQ(result.record[0][0].candidates.at(0).text, "(a)");
  EXPECT_EQ(result.stop, Stop::kMissing);
  EXPECT_EQ(replay("(a)(a)", result.record).back(), "xx");
}

}  // namespace
}  // namespace nrs

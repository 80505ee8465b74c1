#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/threads.h"
#include "eval/verify_parts.h"

namespace nrs::eval {
namespace {

constexpr std::size_t kPieceFormulas = 8;  // one thread takes at a time
constexpr std::size_t kPieces = 32;        // between reports; fixed, so that threads change nothing
constexpr std::size_t kPieceAtoms = 512;

// What one thread found out. Its texts stay until their contexts have been compared with all
// others.
struct Piece {
  std::vector<std::string> texts;
  std::vector<std::string_view> contexts;  // parts of the texts
  SelectorCheck check;
};

class SelectorVerifier {
 public:
  SelectorVerifier(const VerifyRequest& request, Verification& result)
      : request_(request), domain_(*request.domain), result_(result) {}

  void run() {
    check_atoms();
    SelectorCheck& check = result_.selector;
    for (std::size_t start = 0; check.contexts < request_.contexts;
         start += kPieces * kPieceFormulas) {
      pieces_.assign(kPieces, {});
      parallel_for(kPieces, request_.threads, [&](std::size_t p) {
        for (std::size_t i = 0; i < kPieceFormulas; ++i) {
          add_derivation(start + p * kPieceFormulas + i, pieces_[p]);
        }
        ask(pieces_[p]);
      });
      merge();
    }
  }

 private:
  void check_atoms() {
    pieces_.assign(1, {});
    domain_.for_each_atom([&](std::string_view atom) {
      pieces_.back().texts.emplace_back(atom);
      if (pieces_.back().texts.size() == kPieceAtoms) pieces_.emplace_back();
    });
    parallel_for(pieces_.size(), request_.threads, [&](std::size_t p) { ask(pieces_[p]); });
    merge();
  }

  void add_derivation(std::size_t number, Piece& piece) const {
    std::ranges::move(stages_of_formula(domain_, request_.seed, number),
                      std::back_inserter(piece.texts));
    ++piece.check.formulas;
  }

  void ask(Piece& piece) const {
    const std::vector<std::string_view> texts(piece.texts.begin(), piece.texts.end());
    const std::vector<rewrite::ModularRewriter::Found> found = request_.rewriter->find(texts);
    for (std::size_t i = 0; i < found.size(); ++i) compare(piece, piece.texts[i], found[i].leaves);
  }

  void compare(Piece& piece, const std::string& text, const std::vector<Span>& found) const {
    const std::vector<Span> expected = expected_leaves(domain_, text, request_.rewriter->wanted());
    SelectorCheck& check = piece.check;
    check.contexts += expected.size();
    for (const Span leaf : expected) piece.contexts.push_back(around(text, leaf));
    if (found == expected) return;
    const auto note = [&](Span span, bool missed) {
      ++(missed ? check.missed : check.extra);
      if (check.first_failures.size() < kKeptFailures) {
        check.first_failures.push_back({text, span, missed});
      }
    };
    for (const Span leaf : expected) {
      if (!std::ranges::binary_search(found, leaf)) note(leaf, /*missed=*/true);
    }
    for (const Span span : found) {
      if (!std::ranges::binary_search(expected, span)) note(span, /*missed=*/false);
    }
  }

  // All that the Selector can see when it decides about a leaf.
  std::string_view around(std::string_view text, Span leaf) const {
    const std::size_t reach = request_.rewriter->reach();
    if (reach == Selector::kUnbounded) return text;
    const std::size_t begin = leaf.begin - std::min(reach, leaf.begin);
    return text.substr(begin, leaf.end + reach - begin);
  }

  void merge() {
    SelectorCheck& all = result_.selector;
    for (const Piece& piece : pieces_) {
      for (const std::string_view context : piece.contexts) seen_.insert(context);
      all.formulas += piece.check.formulas;
      all.contexts += piece.check.contexts;
      all.missed += piece.check.missed;
      all.extra += piece.check.extra;
      for (const ContextFailure& failure : piece.check.first_failures) {
        if (all.first_failures.size() < kKeptFailures) all.first_failures.push_back(failure);
      }
    }
    all.distinct = seen_.size();
    report_progress(request_, result_);
  }

  const VerifyRequest& request_;
  const Domain& domain_;
  Verification& result_;
  std::vector<Piece> pieces_;
  data::SeenTexts seen_;
};

}  // namespace

void verify_selector(const VerifyRequest& request, Verification& result) {
  if (request.contexts > 0) SelectorVerifier(request, result).run();
}

}  // namespace nrs::eval

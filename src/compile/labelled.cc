#include "compile/labelled.h"

#include "base/threads.h"

namespace nrs::compile {
namespace {

constexpr std::size_t kPiece = 64;  // texts that one thread asks about at a time

std::vector<runtime::Mark> marks_of(std::size_t size, const std::vector<SelectedLeaf>& leaves) {
  std::vector<runtime::Mark> marks(size, runtime::Mark::kOutside);
  for (const SelectedLeaf& leaf : leaves) {
    for (std::size_t i = leaf.span.begin; i < leaf.span.end; ++i) {
      marks[i] = i == leaf.span.begin ? runtime::Mark::kBegin : runtime::Mark::kInside;
    }
  }
  return marks;
}

}  // namespace

std::vector<Labelled> label(const Selector& selector, std::vector<std::string> texts, int threads) {
  std::vector<Labelled> labelled(texts.size());
  parallel_pieces(texts.size(), kPiece, threads, [&](std::size_t begin, std::size_t count) {
    std::vector<Fragment> fragments(count);
    for (std::size_t i = 0; i < count; ++i) fragments[i].text = texts[begin + i];
    const auto leaves = selector.select(fragments);
    for (std::size_t i = 0; i < count; ++i) {
      labelled[begin + i].marks = marks_of(texts[begin + i].size(), leaves[i]);
    }
  });
  for (std::size_t i = 0; i < texts.size(); ++i) labelled[i].text = std::move(texts[i]);
  return labelled;
}

}  // namespace nrs::compile

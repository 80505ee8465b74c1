#include "teach/polish.h"

#include <algorithm>

namespace nrs::teach {
namespace {

constexpr std::size_t kMostAsked = 4000;  // the shortest are the most telling

enum class Outcome : char { kRight, kWrong, kStuck };

// A neighbour of a pattern, on one side.
struct Neighbour {
  std::size_t pattern;
  bool left;
  Symbol symbol;
};

class Polisher {
 public:
  Polisher(Draft& draft, std::vector<AskedRow> questions, const std::set<Symbols>& finals,
           const Standard& standard)
      : draft_(draft), questions_(std::move(questions)), finals_(finals), standard_(standard) {
    std::ranges::stable_sort(questions_, {},
                             [](const AskedRow& asked) { return asked.row->size(); });
    if (questions_.size() > kMostAsked) questions_.resize(kMostAsked);
    now_ = outcomes();
  }

  void run() {
    while (add_some()) {
    }
    drop_some();
  }

 private:
  Outcome ask(const AskedRow& question) const {
    const Draft::Normal normal = draft_.normalise(*question.row);
    if (normal.known && normal.row == *question.answer) return Outcome::kRight;
    const bool final = normal.known && finals_.contains(draft_.corpus().classes(normal.row));
    return final ? Outcome::kWrong : Outcome::kStuck;
  }

  std::vector<Outcome> outcomes() const {
    std::vector<Outcome> all;
    all.reserve(questions_.size());
    for (const AskedRow& question : questions_) all.push_back(ask(question));
    return all;
  }

  // What speaks for the first of two systems, by the questions that the second does not answer so.
  Votes difference(const std::vector<Outcome>& with, const std::vector<Outcome>& without) const {
    Votes votes;
    for (std::size_t i = 0; i < with.size(); ++i) {
      if (with[i] == without[i]) continue;
      const bool against = with[i] == Outcome::kWrong || without[i] == Outcome::kRight;
      if (with[i] == Outcome::kRight) votes.for_it += questions_[i].times;
      if (against) votes.against += questions_[i].times;
    }
    return votes;
  }

  Sides sides(std::size_t pattern) const {
    const text::Body& body = draft_.matcher().body(pattern);
    return {body.left, body.right};
  }

  // The outcomes with one neighbour more, or less.
  std::vector<Outcome> outcomes_by(const Neighbour& neighbour, bool with) {
    const Sides before = sides(neighbour.pattern);
    draft_.set_sides(neighbour.pattern, changed(neighbour, with));
    std::vector<Outcome> all = outcomes();
    draft_.set_sides(neighbour.pattern, before);
    return all;
  }
  Sides changed(const Neighbour& neighbour, bool with) const {
    Sides result = sides(neighbour.pattern);
    Symbols& side = neighbour.left ? result.left : result.right;
    if (with) {
      side += neighbour.symbol;
    } else {
      std::erase(side, neighbour.symbol);
    }
    return result;
  }
  void change(const Neighbour& neighbour, bool with, std::vector<Outcome> outcomes) {
    draft_.set_sides(neighbour.pattern, changed(neighbour, with));
    now_ = std::move(outcomes);
  }

  std::vector<Neighbour> accepted() const {
    std::vector<Neighbour> all;
    for (std::size_t pattern = 0; pattern < draft_.matcher().size(); ++pattern) {
      const Sides now = sides(pattern);
      for (const Symbol symbol : now.left) all.push_back({pattern, true, symbol});
      for (const Symbol symbol : now.right) all.push_back({pattern, false, symbol});
    }
    return all;
  }

  // Neighbours that were met and are not accepted.
  std::vector<Neighbour> others() const {
    std::vector<Neighbour> all;
    for (std::size_t pattern = 0; pattern < draft_.matcher().size(); ++pattern) {
      const Sides now = sides(pattern);
      std::set<Symbol> left, right;
      for (const auto& [pair, votes] : draft_.evidence(pattern)) {
        left.insert(pair.first);
        right.insert(pair.second);
      }
      for (const Symbol symbol : left) {
        if (now.left.find(symbol) == Symbols::npos) all.push_back({pattern, true, symbol});
      }
      for (const Symbol symbol : right) {
        if (now.right.find(symbol) == Symbols::npos) all.push_back({pattern, false, symbol});
      }
    }
    return all;
  }

  bool add_some() {
    bool some = false;
    for (const Neighbour& neighbour : others()) {
      std::vector<Outcome> with = outcomes_by(neighbour, true);
      if (!standard_.accepts(difference(with, now_))) continue;
      change(neighbour, true, std::move(with));
      some = true;
    }
    return some;
  }

  void drop_some() {
    for (const Neighbour& neighbour : accepted()) {
      std::vector<Outcome> without = outcomes_by(neighbour, false);
      if (standard_.refuses(difference(now_, without)))
        change(neighbour, false, std::move(without));
    }
  }

  Draft& draft_;
  std::vector<AskedRow> questions_;
  const std::set<Symbols>& finals_;
  const Standard& standard_;
  std::vector<Outcome> now_;
};

}  // namespace

void polish(Draft& draft, std::vector<AskedRow> questions, const std::set<Symbols>& finals,
            const Standard& standard) {
  Polisher(draft, std::move(questions), finals, standard).run();
}

}  // namespace nrs::teach

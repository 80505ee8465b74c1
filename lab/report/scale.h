#pragma once
// From numbers to places on a drawing, and which numbers to write beside an axis.
#include <vector>

namespace nrs {

class Scale {
 public:
  // Data from `from` to `to` goes to places from `low` to `high` (which may be the smaller one).
  // A logarithmic scale needs 0 < from. An empty range is widened.
  Scale(double from, double to, double low, double high, bool logarithmic = false);

  double at(double value) const;  // what is outside of the range stays at its edge
  double from() const { return from_; }
  double to() const { return to_; }
  // About so many round numbers; of a logarithmic scale powers of ten.
  std::vector<double> ticks(int about) const;

 private:
  double from_, to_, low_, high_;
  bool logarithmic_;
};

// The least of 1, 2, 5, 10, 20, ... (also 0.5, ...) that is not below `value`.
double round_up(double value);

}  // namespace nrs

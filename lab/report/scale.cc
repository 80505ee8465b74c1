#include "report/scale.h"

#include <algorithm>
#include <cmath>

namespace nrs {

Scale::Scale(double from, double to, double low, double high, bool logarithmic)
    : from_(from), to_(to), low_(low), high_(high), logarithmic_(logarithmic) {
  if (logarithmic_) from_ = std::max(from_, 1e-9);
  if (!(to_ > from_)) to_ = logarithmic_ ? from_ * 10 : from_ + 1;
}

double Scale::at(double value) const {
  value = std::clamp(value, from_, to_);
  const double share = logarithmic_ ? std::log(value / from_) / std::log(to_ / from_)
                                    : (value - from_) / (to_ - from_);
  return low_ + share * (high_ - low_);
}

double round_up(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= value * (1 - 1e-9)) return step * power;
  }
  return 10 * power;
}

std::vector<double> Scale::ticks(int about) const {
  std::vector<double> ticks;
  if (logarithmic_) {
    const double decades = std::log10(to_ / from_);
    const int every = std::max(1, static_cast<int>(std::ceil(decades / about)));
    for (int power = static_cast<int>(std::ceil(std::log10(from_) - 1e-9));
         power <= std::log10(to_) + 1e-9; power += every) {
      ticks.push_back(std::pow(10, power));
    }
    return ticks;
  }
  const double step = round_up((to_ - from_) / about);
  for (double i = std::ceil(from_ / step - 1e-9); i * step <= to_ + step * 1e-6; ++i) {
    ticks.push_back(i * step);
  }
  return ticks;
}

}  // namespace nrs

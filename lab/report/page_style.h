#pragma once
// How the report looks, as CSS.
#include <string_view>

namespace nrs {

std::string_view page_style();
// What charts need of it; they carry it when they stand alone.
std::string_view chart_style();

}  // namespace nrs

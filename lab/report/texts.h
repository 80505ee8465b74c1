#pragma once
// Files of this folder that the program carries (CMakeLists.txt makes the constants of them).

namespace nrs::lab::report_texts {

extern const char* const kPage;        // page.json: the sections of the page and their words
extern const char* const kFormats;     // formats.json: the fields of each kind of result file
extern const char* const kChartStyle;  // chart.css: what charts need; they carry it standing alone
extern const char* const kPageStyle;   // page.css: the rest of the page

}  // namespace nrs::lab::report_texts

#include "serve/page.h"

#include <string_view>

// The file is found in the folder that CMake gives the assembler.
asm(".pushsection .rodata\n"
    ".global nrs_page_begin\n"
    ".hidden nrs_page_begin\n"
    "nrs_page_begin:\n"
    ".incbin \"index.html\"\n"
    ".global nrs_page_end\n"
    ".hidden nrs_page_end\n"
    "nrs_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char nrs_page_begin[];
extern const char nrs_page_end[];
}

namespace nrs::serve {

std::string page_for_server(const std::string& version) {
  constexpr std::string_view kMark = "<!-- nrs-server -->";
  std::string page(nrs_page_begin, nrs_page_end);
  const std::size_t mark = page.find(kMark);
  if (mark != std::string::npos) {
    page.replace(mark, kMark.size(), "<meta name=\"nrs-server\" content=\"" + version + "\">");
  }
  return page;
}

}  // namespace nrs::serve

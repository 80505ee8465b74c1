# The libraries of the system, for emscripten, which has headers of its own for all else: links to those that are all
# header (and to the numbers of Linux). The files of /usr/include beside them are not for it.
set(headers ${CMAKE_BINARY_DIR}/system)
file(MAKE_DIRECTORY ${headers})
foreach(library CLI fmt linux nlohmann)
  file(CREATE_LINK /usr/include/${library} ${headers}/${library} SYMBOLIC)
endforeach()
foreach(library CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
  add_library(${library} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${library} INTERFACE ${headers})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

# The other compilers warn; this one is older and warns of what is right.
target_compile_options(nrs_options INTERFACE -w -fwasm-exceptions -msimd128 -include ${CMAKE_SOURCE_DIR}/web/wasm/compat.h)
target_link_options(nrs_options INTERFACE -fwasm-exceptions)

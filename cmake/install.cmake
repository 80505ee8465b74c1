# What `cmake --install` puts where: the programs, the models, and the library for find_package(nrs).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# One archive with everything that runs a model. Inside, the folders stay targets of their own.
add_library(nrs_library STATIC)
foreach(part base nn term text text_json domains model rewrite data runtime architectures service)
  target_sources(nrs_library PRIVATE $<TARGET_OBJECTS:nrs_${part}>)
endforeach()
target_include_directories(nrs_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(nrs_library INTERFACE cxx_std_20)
target_link_libraries(nrs_library PRIVATE fmt::fmt Threads::Threads)
set_target_properties(nrs_library PROPERTIES OUTPUT_NAME nrs EXPORT_NAME nrs LINKER_LANGUAGE CXX)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/nrs)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/nrsConfig.cmake.in
  ${CMAKE_BINARY_DIR}/nrsConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/nrsConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/nrsConfig.cmake ${CMAKE_BINARY_DIR}/nrsConfigVersion.cmake
  DESTINATION ${package} COMPONENT development)
install(TARGETS nrs_library EXPORT nrsTargets ARCHIVE COMPONENT development)
install(EXPORT nrsTargets NAMESPACE nrs:: DESTINATION ${package} COMPONENT development)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/nrs DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

install(TARGETS nrs nrs-bulk nrs-teach nrs-measure nrs-serve nrs-lab RUNTIME COMPONENT program)
if(NRS_LEARN)
  install(TARGETS nrs-learn RUNTIME COMPONENT trainer)
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nrs/models COMPONENT models
  OPTIONAL FILES_MATCHING PATTERN *.nrs)
# Their cards.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/nrs-models COMPONENT models
  OPTIONAL FILES_MATCHING PATTERN *.md)
# What `nrs reproduce` works with.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/recipes DESTINATION ${CMAKE_INSTALL_DATADIR}/nrs COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/studies DESTINATION ${CMAKE_INSTALL_DATADIR}/nrs COMPONENT program OPTIONAL)
# Tools in Python.
foreach(tool language_models report)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/lab/${tool} DESTINATION ${CMAKE_INSTALL_DATADIR}/nrs COMPONENT program
    FILES_MATCHING REGEX "\\.(py|json|css)$")
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/models/release.toml DESTINATION ${CMAKE_INSTALL_DATADIR}/nrs/models
  COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/results/published.json DESTINATION ${CMAKE_INSTALL_DATADIR}/nrs/results
  COMPONENT program)
include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)

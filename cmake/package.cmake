# Debian packages, made by scripts/package: the program, the models, the library for other projects, and the
# Python module. nrs-learn is in none of them: it would need libtorch.
set(parts program models development)
if(NRS_PYTHON)
  list(APPEND parts python)
endif()
foreach(part ${parts})
  # Man pages, completions, changelogs and the licence, which scripts/package-extras writes.
  install(DIRECTORY ${CMAKE_BINARY_DIR}/extras/${part}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT ${part} OPTIONAL)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL ${parts})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME nrs)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package begins with its own
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "nrs maintainers <nrs@example.org>")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CPACK_PACKAGE_CONTACT})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME nrs)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# Python for nrs report and nrs baseline.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "nrs-models (= ${PROJECT_VERSION}-1), python3 (>= 3.11)")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "learns and runs convergent term rewriting systems
The program nrs simplifies formulas by small neural networks that learnt
from examples how to rewrite them, says how sure it is of each step, and
measures and verifies such models.")

set(CPACK_DEBIAN_MODELS_PACKAGE_NAME nrs-models)
set(CPACK_DEBIAN_MODELS_PACKAGE_SECTION math)
set(CPACK_DEBIAN_MODELS_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_MODELS_DESCRIPTION "models for nrs: logic, ListOps, arithmetic and algebra
The models that come with the program nrs, and that programs using its
library can load: one for each domain, and one for all of them.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libnrs-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfmt-dev, libstdc++-12-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "nrs-models, cmake")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "run nrs models from C++ programs
The static library that runs models of nrs, its headers, and what CMake's
find_package(nrs) reads. It needs no libtorch.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-nrs)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
# The compiled part is for one version of Python.
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "nrs-models (= ${PROJECT_VERSION}-1), python3 (>= 3.11), python3 (<< 3.12)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "nrs, python3-numpy")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "run nrs models from Python
The Python module nrs simplifies formulas by models of nrs, shows how they
were derived, and has the program nrs learn new models from examples.")
include(CPack)

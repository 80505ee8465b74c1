// Throws bytes at the model reader; run under AddressSanitizer and UBSan. Built with Clang only:
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined ...
// Anything but an nrs::Error is a bug, and so is a sound file that is not written back the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "model/model_file.h"
#include "model/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const nrs::TensorFile file =
        nrs::TensorFile::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
    const std::string again =
        nrs::serialise_tensors(file.metadata(), {file.tensors().begin(), file.tensors().end()});
    if (nrs::TensorFile::parse(again, "again").tensors().size() != file.tensors().size()) {
      std::abort();
    }
    // The checksum would hide all that lies behind it, so the rewritten file is the one to load.
    nrs::parse_model(nrs::TensorFile::parse(again, "again"));
  } catch (const nrs::Error&) {
  }
  return 0;
}

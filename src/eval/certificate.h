#pragma once
// What has been verified of a model, as it is shown and as it is kept in the model's file.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "eval/verify.h"
#include "model/model_file.h"

namespace nrs::eval {

struct Certificate {
  std::string model;    // its checksum, see model_checksum()
  std::string program;  // what verified it
  double min_log_prob = 0;
  std::uint64_t seed = 0;  // of the Selector's contexts
  std::vector<Verification> domains;

  bool nothing_wrong() const;
  // "exact": every leaf surely right; "sound": some are unsure but nothing is wrong; "wrong".
  std::string_view verdict() const;
};

// The same certificate has the same bytes: no time is in it.
nlohmann::ordered_json to_json(const Certificate& certificate);
std::string to_text(const Certificate& certificate);
// One leaf that is not right, for a line of a JSON-lines file.
nlohmann::ordered_json to_json(const LeafFailure& failure);

// Puts the certificate into the file of the model, whole or not at all; tensors and everything else
// stay as they are. Throws Error (I/O), also if the file is no longer the model that was verified.
void store_certificate(const std::filesystem::path& path, const Certificate& certificate);
// The same for any certificate: a JSON object whose "model" is the checksum of the model.
void store_certificate(const std::filesystem::path& path,
                       const nlohmann::ordered_json& certificate);

}  // namespace nrs::eval

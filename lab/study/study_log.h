#pragma once
// What a study has done so far, one JSON object per line. Nothing in it is ever changed: a study
// that is started again goes on where it was.
#include <filesystem>
#include <map>
#include <string>

#include "base/growing_file.h"
#include "study/trial.h"

namespace nrs {

class StudyLog {
 public:
  // Creates the file if it is not there. Throws Error: usage if another run is writing it; input
  // with file and line if it is no such log. A last line that was cut is dropped.
  explicit StudyLog(const std::filesystem::path& path);

  // The outcome of the trial, if it has ended; failed ones have, too.
  const Outcome* find(const Trial& trial) const;
  // Adds an outcome. The seconds that interrupted runs of the trial took are added to the last one.
  void add(const Trial& trial, Outcome outcome);

 private:
  void take(const std::string& line);

  GrowingFile file_;
  std::map<std::string, Outcome> ended_;
  std::map<std::string, double> seconds_;  // of interrupted runs
};

}  // namespace nrs

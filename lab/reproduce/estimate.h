#pragma once
// What a reproduction will take, and a plan as people see it. The constants are those of two cores
// of a server; how fast this machine is shows when the first tasks are done.
#include <string>
#include <vector>

#include "reproduce/plan.h"

namespace nrs::lab {

double training_seconds(const RecipeFacts& recipe, bool solver_only);
double study_seconds(const StudyFacts& study);
// So many formulas, up to the paper's deepest level or far deeper.
double eval_seconds(const std::string& engine, double formulas, bool deep);
double confidence_seconds(const std::string& engine, double leaves, std::size_t domains);

// Corrects what is expected by what was taken so far.
class Pace {
 public:
  void done(double expected, double taken);
  double to_go(double expected) const;

 private:
  double expected_ = 0;
  double taken_ = 0;
};

// "less than a minute", "about 25 min", "about 2 h 10 min"
std::string show_rough(double seconds);

struct Progress {
  std::size_t done = 0;
  std::size_t tasks = 0;
  double seconds_left = 0;  // expected
};
Progress progress_of(const std::vector<Task>& plan, const std::vector<TaskState>& states);

// "31 of 94 done; about 2 h 10 min to go"
std::string show(const Progress& progress);
// A table of all tasks.
std::string show_plan(const std::vector<Task>& plan, const std::vector<TaskState>& states);

}  // namespace nrs::lab

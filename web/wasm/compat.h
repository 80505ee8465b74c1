#pragma once
// What our sources use of C++20 that emscripten's library (libc++ 13) lacks, no more of it than
// they use. Every file is compiled with it in front; an emscripten with a newer library needs it no
// longer.
#include <version>
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
#include <algorithm>
#include <compare>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

template <class T>
unique_ptr<T> make_unique_for_overwrite(size_t count) {
  return unique_ptr<T>(new remove_extent_t<T>[count]);
}

// Never started: a page has one thread.
class jthread : public thread {
 public:
  using thread::thread;
  jthread(jthread&&) noexcept = default;
  ~jthread() {
    if (joinable()) join();
  }
};

template <class C, class Traits, class A>
strong_ordering operator<=>(const basic_string<C, Traits, A>& a,
                            const basic_string<C, Traits, A>& b) {
  return a.compare(b) <=> 0;
}
inline strong_ordering operator<=>(string_view a, string_view b) {
  return a.compare(b) <=> 0;
}
template <class T, class A>
strong_ordering operator<=>(const vector<T, A>& a, const vector<T, A>& b) {
  return a < b ? strong_ordering::less : a == b ? strong_ordering::equal : strong_ordering::greater;
}
template <class A, class B>
strong_ordering operator<=>(const pair<A, B>& a, const pair<A, B>& b) {
  return a < b ? strong_ordering::less : a == b ? strong_ordering::equal : strong_ordering::greater;
}

namespace ranges {

// A comparison of what `of` sees in two things.
template <class Less, class Of>
auto by(Less less, Of of) {
  return [less, of](const auto& a, const auto& b) { return less(invoke(of, a), invoke(of, b)); };
}

template <class Range, class Test>
bool all_of(Range&& range, Test test) {
  return std::all_of(begin(range), end(range), test);
}
template <class Range, class Test>
bool any_of(Range&& range, Test test) {
  return std::any_of(begin(range), end(range), test);
}
template <class Range, class Test>
auto count_if(Range&& range, Test test) {
  return std::count_if(begin(range), end(range), test);
}
template <class Range, class Test>
auto find_if(Range&& range, Test test) {
  return std::find_if(begin(range), end(range), test);
}
template <class Range, class T, class Of = std::identity>
auto count(Range&& range, const T& value, Of of = {}) {
  return std::count_if(begin(range), end(range),
                       [&](const auto& one) { return invoke(of, one) == value; });
}
template <class Range, class Part>
bool includes(const Range& range, const Part& part) {
  return std::includes(begin(range), end(range), begin(part), end(part));
}
template <class Range, class T, class Of = std::identity>
auto find(Range&& range, const T& value, Of of = {}) {
  return std::find_if(begin(range), end(range),
                      [&](const auto& one) { return invoke(of, one) == value; });
}
template <class Range, class Equal = std::equal_to<>, class Of = std::identity>
auto adjacent_find(Range&& range, Equal equal = {}, Of of = {}) {
  return std::adjacent_find(begin(range), end(range), by(equal, of));
}
template <class Range, class Less = std::less<>, class Of = std::identity>
auto max_element(Range&& range, Less less = {}, Of of = {}) {
  return std::max_element(begin(range), end(range), by(less, of));
}
template <class Range, class Less = std::less<>, class Of = std::identity>
void sort(Range&& range, Less less = {}, Of of = {}) {
  std::sort(begin(range), end(range), by(less, of));
}
template <class Range, class Less = std::less<>, class Of = std::identity>
void stable_sort(Range&& range, Less less = {}, Of of = {}) {
  std::stable_sort(begin(range), end(range), by(less, of));
}
template <class Range, class T, class Less = std::less<>, class Of = std::identity>
auto lower_bound(Range&& range, const T& value, Less less = {}, Of of = {}) {
  return std::lower_bound(begin(range), end(range), value,
                          [&](const auto& one, const T& to) { return less(invoke(of, one), to); });
}
template <class Range, class T>
bool binary_search(Range&& range, const T& value) {
  return std::binary_search(begin(range), end(range), value);
}
template <class Range>
void reverse(Range&& range) {
  std::reverse(begin(range), end(range));
}
template <class Range, class T>
void fill(Range&& range, const T& value) {
  std::fill(begin(range), end(range), value);
}
template <class Range, class T>
void replace(Range&& range, const T& old, const T& value) {
  std::replace(begin(range), end(range), old, value);
}
template <class Range, class Out>
void copy(Range&& range, Out out) {
  std::copy(begin(range), end(range), out);
}
template <class Range, class Out>
void move(Range&& range, Out out) {
  std::move(begin(range), end(range), out);
}
template <class Range, class Out, class Change>
void transform(Range&& range, Out out, Change change) {
  std::transform(begin(range), end(range), out, change);
}
template <class A, class B>
auto mismatch(A&& a, B&& b) {
  return std::mismatch(begin(a), end(a), begin(b), end(b));
}
template <class A, class B, class Same = std::equal_to<>>
bool equal(A&& a, B&& b, Same same = {}) {
  return std::equal(begin(a), end(a), begin(b), end(b), same);
}
// What is left over, which is to be erased.
template <class Range>
auto unique(Range&& range) {
  struct Rest {
    decltype(std::begin(range)) first, last;
    auto begin() const { return first; }
    auto end() const { return last; }
  };
  return Rest{std::unique(std::begin(range), std::end(range)), std::end(range)};
}

}  // namespace ranges
}  // namespace std
#endif

#pragma once
// Working memory that is kept from call to call.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace nrs::nn {

// Floats aligned to cache lines. It only ever grows, so that a steady run allocates nothing.
class Buffer {
 public:
  // Room for `count` floats. What was in it is kept only if it did not have to grow.
  float* get(std::int64_t count) {
    if (const auto wanted = static_cast<std::size_t>(count); wanted > size_) {
      data_.reset(static_cast<float*>(::operator new(wanted * sizeof(float), kAlignment)));
      size_ = wanted;
    }
    return data_.get();
  }
  // Room for `count` floats, of which the first `kept` stay as they are.
  float* grow(std::int64_t count, std::int64_t kept) {
    if (static_cast<std::size_t>(count) > size_) {
      Buffer larger;
      std::copy_n(data_.get(), kept, larger.get(count));
      std::swap(*this, larger);
    }
    return data_.get();
  }
  float* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(float* data) const { ::operator delete(data, kAlignment); }
  };

  std::unique_ptr<float, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace nrs::nn

#pragma once
// What is no tensor but needed in the backward pass of an operation of ours.
#include <torch/autograd.h>
#include <torch/custom_class.h>

#include <utility>

namespace nrs::learn {

template <class Value>
struct Kept : torch::CustomClassHolder {
  explicit Kept(Value v) : value(std::move(v)) {}
  Value value;
};
template <class Value>
void keep(torch::autograd::AutogradContext* context, Value value) {
  context->saved_data["kept"] =
      c10::IValue::make_capsule(c10::make_intrusive<Kept<Value>>(std::move(value)));
}
template <class Value>
const Value& kept(torch::autograd::AutogradContext* context) {
  return static_cast<Kept<Value>&>(*context->saved_data["kept"].toCapsule()).value;
}

}  // namespace nrs::learn

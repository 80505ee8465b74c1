#pragma once
// An operation on tensors with a backward pass of our own.
#include <torch/autograd.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/types.h>

#include <functional>
#include <memory>
#include <utility>

namespace nrs::learn {

using torch::autograd::tensor_list;
// Of the results to those of the inputs. What is not needed may be undefined, on both sides.
using Backward = std::function<tensor_list(const tensor_list& gradients)>;

// While it exists, torch does not record what is computed.
class Operation {
 public:
  // Its inputs, as they are used outside; some may be undefined.
  explicit Operation(const tensor_list& inputs) : node_(node_of(inputs)) {}

  // Makes the results differentiable. `backward` runs once at most. It must not hold the results
  // themselves, which hold it.
  void differentiate(tensor_list results, Backward backward) {
    if (!node_) return;
    node_->backward = std::move(backward);
    torch::autograd::set_history(results, node_);
  }

 private:
  struct Node : torch::autograd::Node {
    tensor_list apply(tensor_list&& gradients) override {
      for (torch::Tensor& gradient : gradients) {
        if (gradient.defined()) gradient = gradient.contiguous();
      }
      return backward(gradients);
    }
    void release_variables() override { backward = nullptr; }

    Backward backward;
  };
  static std::shared_ptr<Node> node_of(const tensor_list& inputs) {
    if (!torch::autograd::compute_requires_grad(inputs)) return nullptr;
    std::shared_ptr<Node> node(new Node, torch::autograd::deleteNode);
    node->set_next_edges(torch::autograd::collect_next_edges(inputs));
    return node;
  }

  std::shared_ptr<Node> node_;  // null: nobody asks for gradients
  torch::NoGradGuard no_grad_;
};

}  // namespace nrs::learn

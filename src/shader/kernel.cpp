// SPDX-License-Identifier: MIT
#include "ferry/kernel.hpp"

#include "shader/kernel_state.hpp"

namespace ferry {

namespace {
const ShaderInfo no_shader{};
const EntryPoint no_entry{};
} // namespace

Kernel::Kernel(std::shared_ptr<detail::KernelState> state) noexcept : state_(std::move(state)) {}

const ShaderInfo& Kernel::shader() const noexcept { return state_ ? state_->shader : no_shader; }
const EntryPoint& Kernel::entry() const noexcept { return state_ ? state_->entry() : no_entry; }
std::array<std::uint32_t, 3> Kernel::workgroup_size() const noexcept {
    return state_ ? state_->workgroup_size : std::array<std::uint32_t, 3>{};
}
std::string_view Kernel::label() const noexcept {
    return state_ ? state_->label : std::string_view();
}

TextureView::TextureView(const Texture& whole) noexcept : texture(whole.state()) {}
TextureView::TextureView(const Texture& whole, const TextureViewRange& part) noexcept
    : texture(whole.state()), range(part) {}

Bindings::Bindings(std::shared_ptr<detail::BindingsState> state) noexcept
    : state_(std::move(state)) {}

} // namespace ferry

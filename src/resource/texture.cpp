// SPDX-License-Identifier: MIT
#include "ferry/texture.hpp"

#include "base/error.hpp"
#include "core/read.hpp"
#include "resource/buffer_state.hpp"
#include "resource/texture_state.hpp"

namespace ferry {

using base::fail;
using base::text;

namespace {
const TextureOptions no_options{.size = {0, 0, 0}, .mip_levels = 0};

const TextureOptions& options_of(const std::shared_ptr<detail::TextureState>& state) noexcept {
    return state ? state->options : no_options;
}

const detail::ReadOperation& as_read(const detail::OperationPtr& operation) noexcept {
    return static_cast<const detail::ReadOperation&>(*operation);
}
} // namespace

Texture::Texture(std::shared_ptr<detail::TextureState> state) noexcept : state_(std::move(state)) {}

Format Texture::format() const noexcept { return options_of(state_).format; }
std::uint32_t Texture::width() const noexcept {
    return static_cast<std::uint32_t>(options_of(state_).size.width);
}
std::uint32_t Texture::height() const noexcept {
    return static_cast<std::uint32_t>(options_of(state_).size.height);
}
std::uint32_t Texture::depth_or_array_layers() const noexcept {
    return static_cast<std::uint32_t>(options_of(state_).size.depth_or_array_layers);
}
std::uint32_t Texture::mip_levels() const noexcept { return options_of(state_).mip_levels; }
TextureUsage Texture::usage() const noexcept { return options_of(state_).usage; }
std::string_view Texture::label() const noexcept { return options_of(state_).label; }
TextureOptions Texture::options() const noexcept { return options_of(state_); }

void Texture::destroy() noexcept {
    if (state_) state_->destroy();
}

TextureAt::TextureAt(const Texture& whole) noexcept : texture(whole.state()) {}
TextureAt::TextureAt(const Texture& handle, const TextureLocation& location) noexcept
    : texture(handle.state()), at(location) {}

BufferImage::BufferImage(const Buffer& handle, const ImageLayout& rows) noexcept
    : buffer(handle.state()), layout(rows) {}

PaddedTexels::PaddedTexels() noexcept = default;
PaddedTexels::PaddedTexels(detail::OperationPtr read) noexcept : read_(std::move(read)) {}
PaddedTexels::PaddedTexels(PaddedTexels&&) noexcept = default;
PaddedTexels& PaddedTexels::operator=(PaddedTexels&&) noexcept = default;
PaddedTexels::~PaddedTexels() = default;

const CopyPlan& PaddedTexels::plan() const noexcept {
    static constexpr CopyPlan nothing{};
    return read_ ? *as_read(read_).layout().texels : nothing;
}

Result<std::span<const std::byte>> PaddedTexels::bytes() const {
    if (!read_) return std::unexpected(detail::empty_handle("texels", {}));
    if (auto lost = read_->core()->loss()) return std::unexpected(*std::move(lost));
    auto found = detail::rows(*read_);
    if (!found) return std::unexpected(std::move(found).error());
    const std::uint64_t size = plan().is_empty() ? 0 : plan().required_bytes;
    return std::span(found->first, static_cast<std::size_t>(size));
}

Result<std::span<const std::byte>> PaddedTexels::row_bytes(std::uint64_t row, std::uint64_t image,
                                                           std::size_t element_size) const {
    auto all = bytes();
    if (!all) return all;
    const CopyPlan& copied = plan();
    if (row >= copied.block_rows || image >= copied.images) {
        return fail(Errc::invalid_argument, {},
                    text("Row (", row, ") of image (", image, ") is outside the (",
                         copied.block_rows, ") rows of (", copied.images, ") images."));
    }
    if (copied.row_bytes % element_size != 0) {
        return fail(Errc::invalid_argument, {},
                    text("A row of (", copied.row_bytes,
                         ") bytes is not a whole number of elements of (", element_size,
                         ") bytes."),
                    "Take the row as std::byte.");
    }
    return all->subspan(static_cast<std::size_t>(copied.byte_of(0, row, image)),
                        static_cast<std::size_t>(copied.row_bytes));
}

Result<PaddedTexels> detail::Outcome<PaddedTexels>::take(Operation& operation) {
    if (operation.error()) return std::unexpected(*operation.error());
    return PaddedTexels(operation.shared_from_this());
}

} // namespace ferry

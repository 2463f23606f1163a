// SPDX-License-Identifier: MIT
#include "base/align.hpp"
#include "base/error.hpp"
#include "resource/buffer_state.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// The request's range with its size filled in; up to the visible end it may be any size.
Result<Span64> resolve(const BufferState& buffer, ByteRange range) {
    const std::uint64_t size = buffer.size_bytes;
    const std::uint64_t offset = range.offset_bytes;
    if (offset % 8 != 0) {
        return fail(
            Errc::invalid_argument, "M-05",
            text("The map offset (", offset, ") of ", buffer.named(), " is not a multiple of 8."),
            text("Map from ", base::round_down(offset, 8), '.'));
    }
    if (!base::fits(offset, range.size_bytes.value_or(0), size)) {
        return fail(Errc::invalid_argument, "M-07",
                    text("The map range (offset ", offset, ", size ",
                         range.size_bytes ? text(*range.size_bytes) : "to the end", ") is outside ",
                         buffer.named(), " of (", size, ") bytes."),
                    text("Map a range inside [0, ", size, ")."));
    }
    const std::uint64_t wanted = range.size_bytes.value_or(size - offset);
    const bool to_the_end = offset + wanted == size;
    const std::uint64_t rounded =
        to_the_end ? std::min(*base::round_up(wanted, 4), buffer.allocated_bytes - offset) : wanted;
    if (rounded % 4 != 0) {
        return fail(
            Errc::invalid_argument, "M-06",
            text("The map size (", wanted, ") of ", buffer.named(), " is not a multiple of 4."),
            text("Map ", base::round_down(wanted, 4), " bytes",
                 buffer.allocated_bytes % 4 == 0 ? ", or up to the end." : "."));
    }
    return Span64{offset, rounded};
}

Result<> check_usage(const BufferState& buffer, MapMode mode) {
    const bool read = mode == MapMode::read;
    if (has(buffer.usage, read ? BufferUsage::map_read : BufferUsage::map_write)) return {};
    return fail(Errc::invalid_argument, "M-09",
                text("Mapping ", buffer.named(), " for ", read ? "reading" : "writing",
                     " needs the usage ", read ? "map_read" : "map_write",
                     ", which it was not made with."),
                read ? "Read it with Commands::read or Device::read, which stage for you; or make "
                       "it with map_read | copy_dst."
                     : "Write it with Device::write; or make it with map_write | copy_src.");
}

Result<> check_state(const BufferState& buffer) {
    switch (const MapState state = buffer.map_state()) {
    case MapState::unmapped: break;
    case MapState::lost: return buffer.core->check_usable({"map buffer", buffer.label});
    case MapState::destroyed:
        return fail(Errc::wrong_state, "M-04",
                    text("Cannot map ", buffer.named(), ": it is destroyed."),
                    "Make a new buffer; destroy() is final.");
    default:
        return fail(Errc::wrong_state, "M-01",
                    text("Cannot map ", buffer.named(), ": it is ", name(state), " already (",
                         range_text(buffer.mapped), ", asked for ", place_text(buffer.mapped_where),
                         ")."),
                    "Ask map_state() first, and map a buffer once until it is unmapped.");
    }
    if (buffer.unsent_writers > 0) {
        return fail(Errc::not_submitted, "M-10",
                    text("Cannot map ", buffer.named(),
                         ": commands that write to it are recorded and not submitted."),
                    "Submit the commands first, then map; or drop the commands.");
    }
    return {};
}

Result<Span64> check_map(const BufferState& buffer, MapMode mode, ByteRange range) {
    if (auto ok = check_state(buffer); !ok) return std::unexpected(std::move(ok).error());
    if (auto ok = check_usage(buffer, mode); !ok) return std::unexpected(std::move(ok).error());
    auto resolved = resolve(buffer, range);
    if (!resolved) return resolved;
    if (auto ok = buffer.core->flush_before_map(); !ok)
        return std::unexpected(std::move(ok).error());
    return resolved;
}

} // namespace

OperationPtr map_buffer(std::shared_ptr<BufferState> buffer, MapMode mode, ByteRange range,
                        std::source_location where) {
    if (!buffer) return Operation::failed(empty_handle("buffer", where));
    buffer->core->pump();
    auto resolved = check_map(*buffer, mode, range);
    if (!resolved) {
        resolved.error().where = where;
        return Operation::failed(std::move(resolved).error());
    }
    buffer->mode = mode;
    buffer->mapped = *resolved;
    buffer->mapped_where = where;
    auto operation =
        std::make_shared<MapOperation>(buffer, text("The map of ", buffer->named(), " for ",
                                                    mode == MapMode::read ? "reading" : "writing"));
    buffer->pending_map = operation;
    operation->start();
    return operation;
}

MapOperation::MapOperation(std::shared_ptr<BufferState> buffer, std::string name)
    : Operation(buffer->core, std::move(name)), buffer_(std::move(buffer)) {}

MapOperation::~MapOperation() {
    if (!done()) let_go();
    if (buffer_ && life_ && buffer_->life == life_) (void)buffer_->unmap(); // nobody took it
}

void MapOperation::start() {
    if (buffer_->mapped.size_bytes == 0) return settle(); // needs no engine
    signal_ = core()->instance().signals().take();
    buffer_->engine_mapped = true;
    core()->instance().asked(signal_, core()->gpu().BufferMapAsync(
                                          buffer_->handle, static_cast<WGPUMapMode>(buffer_->mode),
                                          static_cast<std::size_t>(buffer_->mapped.offset_bytes),
                                          static_cast<std::size_t>(buffer_->mapped.size_bytes),
                                          Signals::map_info(signal_)));
}

void MapOperation::settle() {
    if (signal_ != nullptr) {
        if (!signal_->fired) return;
        auto error = map_error(*core(), *signal_, name());
        buffer_->engine_mapped = signal_->status == WGPUMapAsyncStatus_Success;
        core()->instance().signals().give_back(std::exchange(signal_, nullptr));
        if (error) return fail(*std::move(error));
    }
    buffer_->pending_map.reset();
    if (!buffer_->begin_mapping()) {
        return fail(Error{Errc::engine,
                          "G-01",
                          text(name(), " is done, but the engine gives no memory."),
                          {},
                          {},
                          {}});
    }
    life_ = buffer_->life;
    finish();
}

Result<std::shared_ptr<BufferState>> MapOperation::take() {
    if (life_ && life_->there() && buffer_->life == life_) return std::move(buffer_);
    if (auto lost = core()->loss()) return std::unexpected(*std::move(lost));
    return base::fail(Errc::cancelled, "M-12",
                      text(name(), " has ended before it was taken: ",
                           life_ ? life_->reason() : std::string_view("it was taken"), '.'),
                      "Take the mapping before the buffer is unmapped or destroyed.");
}

void MapOperation::cancel_by(std::string_view reason) noexcept {
    fail(Error{Errc::cancelled, "M-12", text(name(), " was cancelled: ", reason, '.'), {}, {}, {}});
}

/// Ends a pending map on the engine; the buffer can be used again at once (rule U-01).
void MapOperation::let_go() noexcept {
    buffer_->pending_map.reset();
    if (life_ && buffer_->life == life_) return; // the device ended; the buffer's own end unmaps
    if (std::exchange(buffer_->engine_mapped, false)) core()->unmap(buffer_->handle);
    if (signal_ != nullptr) core()->instance().signals().give_back(std::exchange(signal_, nullptr));
}

Result<std::shared_ptr<BufferState>> mapped_buffer(Operation& operation) {
    if (operation.error()) return std::unexpected(*operation.error());
    return static_cast<MapOperation&>(operation).take();
}

} // namespace ferry::detail

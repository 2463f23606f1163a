// SPDX-License-Identifier: MIT
#include "slot_memory.hpp"

#include <algorithm>
#include <cstring>

#include "progress.hpp"
#include "transfer.hpp"

namespace app {

using ferry::BufferUsage;
using ferry::TextureUsage;

namespace {
BufferUsage usage_of(const Slot& slot) {
    BufferUsage usage = slot.binding->kind == ferry::BindingKind::uniform_buffer
                            ? BufferUsage::uniform
                            : BufferUsage::storage;
    if (!slot.saves.empty()) usage |= BufferUsage::copy_src;
    if (slot.varies) usage |= BufferUsage::copy_dst;
    return usage;
}

TextureUsage texture_usage_of(const Slot& slot) {
    TextureUsage usage = slot.binding->kind == ferry::BindingKind::texture
                             ? TextureUsage::texture_binding
                             : TextureUsage::storage_binding;
    if (slot.picture->texels.size_bytes > 0) usage |= TextureUsage::copy_dst;
    if (!slot.saves.empty()) usage |= TextureUsage::copy_src;
    return usage;
}

template <class Mapping>
auto memory_of(Mapping& mapping) -> decltype(mapping.template as<std::byte>()->span()) {
    auto memory = mapping.template as<std::byte>();
    if (!memory) return std::unexpected(std::move(memory).error());
    return memory->span();
}

/// The outcome goes to `target`; an empty ticket has none.
template <class T>
Result<> take(ferry::Ticket<T>& ticket, std::chrono::milliseconds patience, T& target) {
    if (!ticket) return {};
    auto outcome = ticket.wait(patience);
    if (!outcome) return std::unexpected(std::move(outcome).error());
    target = *std::move(outcome);
    return {};
}
} // namespace

Result<> SlotMemory::prepare(ferry::Device& device, const Part& part) {
    part_ = part;
    return part.slot->picture ? prepare_texture(device) : prepare_buffer(device);
}

Result<> SlotMemory::prepare_texture(ferry::Device& device) {
    const Picture& picture = *part_.slot->picture;
    auto texture = device.create_texture(
        picture.options(texture_usage_of(*part_.slot), part_.slot->binding->name));
    if (!texture) return std::unexpected(std::move(texture).error());
    texture_ = *std::move(texture);
    new_ = true;
    if (picture.texels.size_bytes == 0) return {};
    return device.write(texture_, picture.texels.span(), {.tight = true});
}

Result<> SlotMemory::prepare_buffer(ferry::Device& device) {
    fresh_ = !storage_ || storage_.size_bytes() < bytes();
    new_ = fresh_ || bytes() != bound_bytes_;
    bound_bytes_ = bytes();
    if (auto ok = fresh_ ? create_storage(device) : create_upload(device); !ok) return ok;
    if (!has_data()) return {};
    auto memory = memory_of(filling_);
    if (!memory) return std::unexpected(std::move(memory).error());
    input_ = *memory;
    return {};
}

Result<> SlotMemory::create_storage(ferry::Device& device) {
    const ferry::BufferOptions options{
        .usage = usage_of(slot()), .size_bytes = bytes(), .label = slot().binding->name};
    upload_ = {};
    if (!has_data()) {
        auto zeros = device.create_buffer(options);
        if (!zeros) return std::unexpected(std::move(zeros).error());
        storage_ = *std::move(zeros);
        return {};
    }
    auto mapped = device.create_mapped_buffer(options);
    if (!mapped) return std::unexpected(std::move(mapped).error());
    storage_ = std::move(mapped->buffer);
    filling_ = std::move(mapped->mapping);
    return {};
}

Result<> SlotMemory::create_upload(ferry::Device& device) {
    if (upload_ || !has_data()) return {};
    auto mapped =
        device.create_mapped_buffer({.usage = BufferUsage::map_write | BufferUsage::copy_src,
                                     .size_bytes = storage_.size_bytes(),
                                     .label = slot().binding->name});
    if (!mapped) return std::unexpected(std::move(mapped).error());
    upload_ = std::move(mapped->buffer);
    filling_ = std::move(mapped->mapping);
    return {};
}

ferry::Binding SlotMemory::binding() const {
    const std::string& name = slot().binding->name;
    if (slot().picture) return {name, texture_};
    return {name, ferry::BufferView(storage_, {.size_bytes = bytes()})};
}

Result<> SlotMemory::load(bool shows_progress) {
    if (slot().picture || !has_data()) return {};
    const auto values = input_.first(part_.layout.buffer_bytes);
    const auto rest = input_.first(bytes()).subspan(values.size());
    std::fill(rest.begin(), rest.end(), std::byte{0});
    if (slot().file) {
        Progress progress(shows_progress, "loading " + slot().origin, values.size());
        return load_array(part_.slot->file->input, slot().file->header, part_.layout, values,
                          progress);
    }
    std::memcpy(values.data(), slot().preset.data(), values.size());
    if (slot().chunk_first) {
        const auto first = static_cast<std::uint32_t>(part_.first_row);
        std::memcpy(values.data() + *slot().chunk_first, &first, sizeof first);
    }
    return {};
}

Result<> SlotMemory::send() {
    return slot().picture || !has_data() ? Result<>{} : filling_.unmap();
}

void SlotMemory::record_input(ferry::Commands& commands) {
    if (slot().picture || fresh_) return;
    const ferry::ByteRange range{.size_bytes = bytes()};
    if (has_data()) {
        commands.copy({upload_, range}, {storage_, range});
    } else {
        commands.clear({storage_, range});
    }
}

Result<> SlotMemory::record_output(ferry::Device& device, ferry::Commands& commands) {
    if (slot().saves.empty()) return {};
    if (slot().picture) {
        texels_ticket_ = commands.read<std::uint8_t>(texture_);
        return {};
    }
    if (!readback_ || readback_.size_bytes() < bytes()) {
        auto buffer = device.create_buffer({.usage = BufferUsage::map_read | BufferUsage::copy_dst,
                                            .size_bytes = bytes(),
                                            .label = slot().binding->name});
        if (!buffer) return std::unexpected(std::move(buffer).error());
        readback_ = *std::move(buffer);
    }
    const ferry::ByteRange range{.size_bytes = bytes()};
    commands.copy({storage_, range}, {readback_, range});
    return {};
}

void SlotMemory::ask() {
    if (upload_) upload_ticket_ = upload_.map_write();
    if (readback_) result_ticket_ = readback_.map_read({.size_bytes = bytes()});
}

Result<> SlotMemory::receive(std::chrono::milliseconds patience) {
    if (auto ok = take(texels_ticket_, patience, texels_); !ok) return ok;
    if (auto ok = take(upload_ticket_, patience, filling_); !ok) return ok;
    if (!result_ticket_) return {};
    if (auto ok = take(result_ticket_, patience, result_); !ok) return ok;
    auto memory = memory_of(result_);
    if (!memory) return std::unexpected(std::move(memory).error());
    output_ = *memory;
    return {};
}

Result<> SlotMemory::save(std::vector<Output>& files, bool with_header, bool shows_progress) {
    if (slot().picture) return save_texture(files, shows_progress);
    for (Output& file : files) {
        Progress progress(shows_progress, "saving " + file.name(), part_.layout.buffer_bytes);
        if (with_header) {
            if (auto ok = save_header(file, slot().array); !ok) return ok;
        }
        if (auto ok = save_values(file, part_.layout, output_, progress); !ok) return ok;
    }
    return {};
}

Result<> SlotMemory::save_texture(std::vector<Output>& files, bool shows_progress) {
    const Picture& picture = *slot().picture;
    const auto texels = std::as_writable_bytes(std::span(texels_));
    if (picture.format.blue_first) swap_red_and_blue(texels);
    for (std::size_t i = 0; i < files.size(); ++i) {
        Progress progress(shows_progress, "saving " + files[i].name(), texels.size());
        auto ok = save_picture(files[i], slot().kinds[i], picture, slot().array, texels, progress);
        if (!ok) return ok;
    }
    return {};
}

} // namespace app

// SPDX-License-Identifier: MIT
#include "job.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine_talk.hpp"
#include "interrupt.hpp"
#include "needs.hpp"
#include "text.hpp"
#include "transfer.hpp"

namespace app {

using namespace std::chrono_literals;
using ferry::BufferUsage;

namespace {
BufferUsage usage_of(const Slot& slot) {
    BufferUsage usage = slot.binding->kind == ferry::BindingKind::uniform_buffer
                            ? BufferUsage::uniform
                            : BufferUsage::storage;
    if (!slot.saves.empty()) usage |= BufferUsage::copy_src;
    return usage;
}

ferry::TextureUsage texture_usage_of(const Slot& slot) {
    using ferry::TextureUsage;
    TextureUsage usage = slot.binding->kind == ferry::BindingKind::texture
                             ? TextureUsage::texture_binding
                             : TextureUsage::storage_binding;
    if (slot.picture->texels.size_bytes > 0) usage |= TextureUsage::copy_dst;
    if (!slot.saves.empty()) usage |= TextureUsage::copy_src;
    return usage;
}

/// Waits in slices, so that Ctrl-C ends a run whose kernel takes minutes.
template <class T>
Result<T> wait_for(ferry::Ticket<T>& ticket, Progress& progress) {
    for (;;) {
        auto result = ticket.wait(50ms);
        if (result || result.error().code != Errc::timeout) return result;
        if (interrupting_signal() != 0) leave_interrupted();
        progress.tick();
    }
}
} // namespace

Result<> Job::create_outputs() {
    for (std::size_t i = 0; i < plan_.slots.size(); ++i) {
        if (plan_.slots[i].saves.empty()) continue;
        Saved saved{.slot = i};
        for (const std::string& path : plan_.slots[i].saves) {
            auto output = Output::create(path);
            if (!output) {
                return within(std::move(output).error(),
                              fmt::format("before saving \"{}\"", plan_.slots[i].binding->name));
            }
            saved.outputs.push_back(*std::move(output));
        }
        saved_.push_back(std::move(saved));
    }
    return {};
}

Result<> Job::open(std::string_view shader_path) {
    EngineTalk talk;
    auto engine = ferry::Engine::find(common_.engine);
    if (!engine) return std::unexpected(std::move(engine).error());
    auto device = ferry::Device::open({.engine = *engine,
                                       .adapter = common_.adapter,
                                       .required_features = plan_.features,
                                       .required_limits = plan_.limits,
                                       .label = "ferry run"});
    if (!device) return std::unexpected(device_refused(plan_, std::move(device).error()));
    talk.discard();
    device_ = *std::move(device);
    std::vector<ferry::Constant> constants;
    for (const auto& [name, value] : plan_.constants) constants.push_back({name, value});
    auto kernel =
        device_.create_kernel(plan_.wgsl, {.entry = plan_.entry->name, .constants = constants});
    if (!kernel) return within(std::move(kernel).error(), fmt::format("in {}", shader_path));
    kernel_ = *std::move(kernel);
    return check_interrupted();
}

Result<> Job::load() {
    for (const Slot& slot : plan_.slots) {
        if (auto ok = load_slot(slot); !ok) {
            return within(std::move(ok).error(), fmt::format("while loading \"{}\" from {}",
                                                             slot.binding->name, slot.origin));
        }
    }
    return {};
}

Result<> Job::load_slot(const Slot& slot) {
    return slot.picture ? load_texture(slot) : load_buffer(slot);
}

Result<> Job::load_texture(const Slot& slot) {
    const Picture& picture = *slot.picture;
    auto texture =
        device_.create_texture(picture.options(texture_usage_of(slot), slot.binding->name));
    if (!texture) return std::unexpected(std::move(texture).error());
    if (picture.texels.size_bytes > 0) {
        auto ok = device_.write(*texture, picture.texels.span(), {.tight = true});
        if (!ok) return ok;
    }
    resources_.emplace_back(*std::move(texture));
    return {};
}

Result<> Job::load_buffer(const Slot& slot) {
    const ferry::BufferOptions options{.usage = usage_of(slot),
                                       .size_bytes = slot.layout.buffer_bytes,
                                       .label = slot.binding->name};
    if (!slot.file && slot.preset.empty()) {
        auto zeros = device_.create_buffer(options);
        if (!zeros) return std::unexpected(std::move(zeros).error());
        resources_.emplace_back(*std::move(zeros));
        return {};
    }
    auto mapped = device_.create_mapped_buffer(options);
    if (!mapped) return std::unexpected(std::move(mapped).error());
    auto memory = mapped->mapping.as<std::byte>();
    if (!memory) return std::unexpected(std::move(memory).error());
    auto bytes = memory->span();
    if (!bytes) return std::unexpected(std::move(bytes).error());
    if (slot.file) {
        Progress progress(shows_progress(), "loading " + slot.origin, slot.layout.buffer_bytes);
        auto& file = const_cast<LoadFile&>(*slot.file); // NOLINT: reading moves on in the file
        if (auto ok = load_array(file.input, file.header, slot.layout, *bytes, progress); !ok)
            return ok;
    } else {
        std::memcpy(bytes->data(), slot.preset.data(), std::min(bytes->size(), slot.preset.size()));
    }
    if (auto ok = mapped->mapping.unmap(); !ok) return ok;
    resources_.emplace_back(std::move(mapped->buffer));
    return {};
}

Result<> Job::make_readback(Saved& saved) {
    auto buffer = device_.create_buffer({.usage = BufferUsage::map_read | BufferUsage::copy_dst,
                                         .size_bytes = plan_.slots[saved.slot].layout.buffer_bytes,
                                         .label = plan_.slots[saved.slot].binding->name});
    if (!buffer) return std::unexpected(std::move(buffer).error());
    saved.buffer = *std::move(buffer);
    return {};
}

Result<> Job::compute() {
    std::vector<ferry::Binding> list;
    for (std::size_t i = 0; i < resources_.size(); ++i) {
        std::visit([&](const auto& each) { list.emplace_back(plan_.slots[i].binding->name, each); },
                   resources_[i]);
    }
    auto bindings = device_.bind(kernel_, std::span<const ferry::Binding>(list));
    if (!bindings) return std::unexpected(std::move(bindings).error());
    auto commands = device_.record(plan_.entry->name);
    commands.dispatch(kernel_, *bindings, plan_.grid);
    for (Saved& saved : saved_) {
        if (auto ok = record_saved(commands, saved); !ok) return ok;
    }
    if (auto sent = device_.submit(std::move(commands)); !sent) {
        return std::unexpected(over_limit(std::move(sent).error()));
    }
    Progress progress(shows_progress(), fmt::format("computing {}", plan_.entry->name), 0);
    if (saved_.empty()) {
        auto done = device_.done();
        if (auto finished = wait_for(done, progress); !finished)
            return std::unexpected(std::move(finished).error());
    }
    for (Saved& saved : saved_) {
        if (auto ok = receive(saved, progress); !ok) return ok;
    }
    return check_interrupted();
}

Result<> Job::record_saved(ferry::Commands& commands, Saved& saved) {
    const auto& resource = resources_[saved.slot];
    if (const auto* texture = std::get_if<ferry::Texture>(&resource)) {
        saved.ticket = commands.read<std::uint8_t>(*texture);
        return {};
    }
    if (auto ok = make_readback(saved); !ok) return ok;
    commands.copy(std::get<ferry::Buffer>(resource), saved.buffer);
    return {};
}

Result<> Job::receive(Saved& saved, Progress& progress) {
    if (plan_.slots[saved.slot].picture) {
        auto texels = wait_for(saved.ticket, progress);
        if (!texels) return std::unexpected(std::move(texels).error());
        saved.texels = *std::move(texels);
        return {};
    }
    auto ticket = saved.buffer.map_read();
    auto mapping = wait_for(ticket, progress);
    if (!mapping) return std::unexpected(std::move(mapping).error());
    saved.mapping = *std::move(mapping);
    return {};
}

Result<> Job::save() {
    for (Saved& saved : saved_) {
        if (auto ok = save_one(saved); !ok) {
            return within(
                std::move(ok).error(),
                fmt::format("while saving \"{}\"", plan_.slots[saved.slot].binding->name));
        }
    }
    // Only when every one is written whole does any of them appear.
    for (Saved& saved : saved_) {
        for (Output& output : saved.outputs) {
            if (auto ok = output.commit(); !ok) return ok;
        }
    }
    return {};
}

Result<> Job::save_one(Saved& saved) {
    const Slot& slot = plan_.slots[saved.slot];
    if (slot.picture) return save_texture(saved);
    auto memory = saved.mapping.as<std::byte>();
    if (!memory) return std::unexpected(std::move(memory).error());
    auto bytes = memory->span();
    if (!bytes) return std::unexpected(std::move(bytes).error());
    for (Output& output : saved.outputs) {
        Progress progress(shows_progress(), "saving " + output.name(), slot.layout.buffer_bytes);
        if (auto ok = save_array(output, slot.array, slot.layout, *bytes, progress); !ok) return ok;
    }
    return {};
}

Result<> Job::save_texture(Saved& saved) {
    const Slot& slot = plan_.slots[saved.slot];
    const auto texels = std::as_writable_bytes(std::span(saved.texels));
    if (slot.picture->format.blue_first) swap_red_and_blue(texels);
    for (std::size_t i = 0; i < saved.outputs.size(); ++i) {
        Output& output = saved.outputs[i];
        Progress progress(shows_progress(), "saving " + output.name(), texels.size());
        if (auto ok =
                save_picture(output, slot.kinds[i], *slot.picture, slot.array, texels, progress);
            !ok)
            return ok;
    }
    return {};
}

std::string Job::driver_note() const {
    constexpr std::uint64_t most = 65'535;
    const auto [x, y, z] = groups();
    const auto size = kernel_.workgroup_size();
    const std::uint64_t threads = x * y * z * size[0] * size[1] * size[2];
    std::uint64_t elements = 0;
    for (const Slot& slot : plan_.slots) elements = std::max(elements, slot.layout.elements);
    const bool llvmpipe = device_.adapter().name.starts_with("llvmpipe");
    if (!llvmpipe || threads == 0 || elements / threads < most) return {};
    return fmt::format(
        "llvmpipe (Mesa 22.3) ends the loops of a thread after {} rounds without an error, and {} "
        "elements for {} threads are more: use more --groups",
        count_text(most), count_text(elements), count_text(threads));
}

std::array<std::uint64_t, 3> Job::groups() const noexcept {
    const auto& [threads, groups] = plan_.grid;
    if (groups.given) return {groups.x, groups.y, groups.z};
    const auto size = kernel_.workgroup_size();
    const auto rounded = [](std::uint64_t a, std::uint64_t b) {
        return a / b + (a % b == 0 ? 0 : 1);
    };
    return {rounded(threads.x, size[0]), rounded(threads.y, size[1]), rounded(threads.z, size[2])};
}

/// The library says that there are too many workgroups; the program says what its user can do about
/// it.
Error Job::over_limit(Error error) const {
    const std::uint64_t most = device_.limits().max_compute_workgroups_per_dimension;
    const auto count = groups();
    if (error.code != Errc::limit_exceeded || *std::max_element(count.begin(), count.end()) <= most)
        return error;
    error.fix = fmt::format("Let each thread do several elements in a strided loop, \"for (var i = "
                            "id.x; i < arrayLength(&data); i += "
                            "groups.x * {}) {{ ... }}\" with groups from @builtin(num_workgroups), "
                            "and run it with --groups 4096. "
                            "examples/double.wgsl does so.",
                            kernel_.workgroup_size()[0]);
    return error;
}

} // namespace app

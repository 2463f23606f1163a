// SPDX-License-Identifier: MIT
// ferry's side of the state sweep: one buffer, brought into a state and worked on.
#pragma once

#include "fake_world.hpp"
#include "state_model.hpp"

namespace ferry::test {

class Subject {
public:
    Subject(World& world, Device& device, Purpose purpose, Maps maps)
        : world_(world), device_(device), purpose_(purpose), maps_(maps) {}

    void begin(State state);
    /// What ferry answers.
    [[nodiscard]] Result<> step(Step step, std::uint8_t stamp);

    [[nodiscard]] MapState map_state() const { return buffer_.map_state(); }
    /// The outcome of the last map request that was not delivered; `timeout` while there is none.
    [[nodiscard]] Result<> request();
    /// The bytes that the GPU has, after ending what keeps it from them.
    [[nodiscard]] std::vector<std::byte> contents();
    [[nodiscard]] std::vector<std::byte> other();

    static constexpr std::size_t size = 16;

private:
    [[nodiscard]] Result<> map();
    template <class T>
    [[nodiscard]] Result<> deliver(Ticket<T>& ticket, T& mapping);
    [[nodiscard]] Result<> range(std::uint8_t stamp);
    [[nodiscard]] Result<> record();
    [[nodiscard]] Result<> submit();
    [[nodiscard]] Result<> clear();
    void make(State state);
    void record_copy(Commands& commands);

    World& world_;
    Device& device_;
    Purpose purpose_;
    Maps maps_;
    Buffer buffer_, other_;
    std::optional<Commands> recorded_;
    Ticket<ReadMapping> read_request_;
    Ticket<WriteMapping> write_request_;
    ReadMapping read_;
    WriteMapping write_;
    bool writes_ = false; ///< the last mapping was one for writing
};

} // namespace ferry::test

// SPDX-License-Identifier: MIT
#include <ferry/ferry.hpp>

#include <iostream>

int main() { std::cout << "ferry says: " << ferry::name(ferry::Errc::invalid_argument) << '\n'; }

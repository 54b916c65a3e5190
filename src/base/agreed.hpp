// Errors that all ranks of a job throw together.
#pragma once

#include "base/error.hpp"

namespace wayfront {

/// Marks an error that every rank throws at the same place with the same message, since the ranks
/// have agreed about its cause: the job may continue. All other errors of one of several ranks may
/// leave the others waiting.
class Agreed
{
public:
    virtual ~Agreed() = default;

protected:
    Agreed() = default;
    Agreed(const Agreed&) = default;
    Agreed& operator=(const Agreed&) = default;
};

/// An error of the kind E that all ranks throw together.
template <typename E>
class OnAllRanks final : public E, public Agreed
{
public:
    using E::E;
};

/// A failure that all ranks know of and throw together. Rank 0 prints its message.
class AgreedError : public Error, public Agreed
{
public:
    using Error::Error;
};

}  // namespace wayfront

// Makes a call of MPI return an error. To be preloaded; fault_plan.hpp says which one.
#include <mpi.h>

#include "fault_plan.hpp"

namespace {

/// Calls f(arguments...), MPI's own function, unless the call is to fail.
template <typename F, typename... Arguments>
int call(const char* name, F f, Arguments... arguments)
{
    return wayfront::faults::plan().fails(name) ? MPI_ERR_INTERN : f(arguments...);
}

}  // namespace

extern "C" {

// MPI's own names of these parameters differ.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)

int MPI_Allgather(const void* send, int sends, MPI_Datatype send_type, void* received, int receives,
                  MPI_Datatype receive_type, MPI_Comm comm)
{
    return call("MPI_Allgather", PMPI_Allgather, send, sends, send_type, received, receives, receive_type, comm);
}

int MPI_Allgatherv(const void* send, int sends, MPI_Datatype send_type, void* received, const int* receives,
                   const int* places, MPI_Datatype receive_type, MPI_Comm comm)
{
    return call("MPI_Allgatherv", PMPI_Allgatherv, send, sends, send_type, received, receives, places, receive_type,
                comm);
}

int MPI_Allreduce(const void* send, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return call("MPI_Allreduce", PMPI_Allreduce, send, received, count, type, op, comm);
}

int MPI_Alltoall(const void* send, int sends, MPI_Datatype send_type, void* received, int receives,
                 MPI_Datatype receive_type, MPI_Comm comm)
{
    return call("MPI_Alltoall", PMPI_Alltoall, send, sends, send_type, received, receives, receive_type, comm);
}

int MPI_Alltoallv(const void* send, const int* sends, const int* send_places, MPI_Datatype send_type, void* received,
                  const int* receives, const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm)
{
    return call("MPI_Alltoallv", PMPI_Alltoallv, send, sends, send_places, send_type, received, receives,
                receive_places, receive_type, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    return call("MPI_Barrier", PMPI_Barrier, comm);
}

int MPI_Bcast(void* values, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return call("MPI_Bcast", PMPI_Bcast, values, count, type, root, comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made)
{
    return call("MPI_Comm_dup", PMPI_Comm_dup, comm, made);
}

int MPI_Comm_free(MPI_Comm* comm)
{
    return call("MPI_Comm_free", PMPI_Comm_free, comm);
}

int MPI_Comm_rank(MPI_Comm comm, int* rank)
{
    return call("MPI_Comm_rank", PMPI_Comm_rank, comm, rank);
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    return call("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler, comm, handler);
}

int MPI_Comm_size(MPI_Comm comm, int* size)
{
    return call("MPI_Comm_size", PMPI_Comm_size, comm, size);
}

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made)
{
    return call("MPI_Comm_split", PMPI_Comm_split, comm, colour, key, made);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made)
{
    return call("MPI_Comm_split_type", PMPI_Comm_split_type, comm, type, key, info, made);
}

int MPI_Exscan(const void* send, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return call("MPI_Exscan", PMPI_Exscan, send, received, count, type, op, comm);
}

int MPI_Finalize()
{
    return call("MPI_Finalize", PMPI_Finalize);
}

int MPI_Iallgather(const void* send, int sends, MPI_Datatype send_type, void* received, int receives,
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request)
{
    return call("MPI_Iallgather", PMPI_Iallgather, send, sends, send_type, received, receives, receive_type, comm,
                request);
}

int MPI_Ialltoall(const void* send, int sends, MPI_Datatype send_type, void* received, int receives,
                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request)
{
    return call("MPI_Ialltoall", PMPI_Ialltoall, send, sends, send_type, received, receives, receive_type, comm,
                request);
}

int MPI_Ibcast(void* values, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request)
{
    return call("MPI_Ibcast", PMPI_Ibcast, values, count, type, root, comm, request);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided)
{
    return call("MPI_Init_thread", PMPI_Init_thread, argc, argv, required, provided);
}

int MPI_Irecv(void* values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request)
{
    return call("MPI_Irecv", PMPI_Irecv, values, count, type, rank, tag, comm, request);
}

int MPI_Isend(const void* values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request)
{
    return call("MPI_Isend", PMPI_Isend, values, count, type, rank, tag, comm, request);
}

int MPI_Recv(void* values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Status* status)
{
    return call("MPI_Recv", PMPI_Recv, values, count, type, rank, tag, comm, status);
}

int MPI_Reduce(const void* send, void* received, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    return call("MPI_Reduce", PMPI_Reduce, send, received, count, type, op, root, comm);
}

int MPI_Send(const void* values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
{
    return call("MPI_Send", PMPI_Send, values, count, type, rank, tag, comm);
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status)
{
    return call("MPI_Test", PMPI_Test, request, done, status);
}

int MPI_Type_commit(MPI_Datatype* type)
{
    return call("MPI_Type_commit", PMPI_Type_commit, type);
}

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made)
{
    return call("MPI_Type_contiguous", PMPI_Type_contiguous, count, type, made);
}

int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made)
{
    return call("MPI_Type_create_resized", PMPI_Type_create_resized, type, lower, extent, made);
}

int MPI_Type_free(MPI_Datatype* type)
{
    return call("MPI_Type_free", PMPI_Type_free, type);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status)
{
    return call("MPI_Wait", PMPI_Wait, request, status);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses)
{
    return call("MPI_Waitall", PMPI_Waitall, count, requests, statuses);
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)

}  // extern "C"

// The arcs that the ranks inspect and the bytes that they send in a level, in the mean, for each partition of the graph
// that a cluster can choose from. Numbers are sums over all ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/bfs/hub_rules.hpp"
#include "comm/process_grid.hpp"
#include "model/field_search.hpp"
#include "model/rank_work.hpp"
#include "model/vertex_classes.hpp"

namespace wayfront::model {

/// A level over R x C ranks, all blocks at once, as the program searches (virtual_bfs.hpp counts the
/// same of a real graph).
struct GridWork
{
    double lists = 0;             // inspected lists: of open rows, or of the frontier
    double arcs = 0;              // inspected arcs
    double pairs = 0;             // pairs of a block and a row that the block finds
    double parent_queries = 0;    // rows that a block finds, but not the block of the row's owner
    std::vector<double> arcs_to;  // the inspected arcs of a bottom-up level that end in each class
};
GridWork grid_work(const VertexClasses& classes, const FieldLevel& level, int columns);

/// The mean work and messages of a rank in a level, with the program's rules for lists and bitmaps.
/// `slot_stride`: slots of a rank.
RankWork mean_rank_work(const GridWork& work, const FieldLevel& level, comm::GridShape shape,
                        std::uint64_t slot_stride);

/// The arcs that a bottom-up level inspects if the C blocks of a row are searched in turn, and a row
/// that one of them finds is not searched by the next ones: S. Beamer, A. Buluc, K. Asanovic, D.
/// Patterson, IPDPSW 2013, doi:10.1109/IPDPSW.2013.159.
double rotation_arcs(const VertexClasses& classes, const FieldLevel& level, int columns);

/// Changes the messages of a bottom-up level to those of blocks that are searched in turn. In each turn, the bits
/// of open rows are sent to the next block. After the last turn, each owner receives `found` rows with parents.
void use_rotation_messages(RankWork& rank, double found, int columns, std::uint64_t slot_stride);

/// A level of a 1.5D partition: the owner of a vertex has all of its arcs, those to hubs first; all
/// ranks have the bits of the hubs of the frontier. Over arcs between other vertices, the frontier pushes or
/// open rows send queries. A row whose only arc does not lead to a hub sends its query after the last level.
/// After H. Cao, Y. Wang, H. Wang, H. Lin, Z. Ma, W. Yin, W. Chen, PPoPP 2022,
/// doi:10.1145/3503221.3508403.
struct HubWork
{
    double rows = 0;                  // open rows with arcs
    double hub_arcs = 0;              // arcs of these rows to hubs that are inspected until the first hit
    std::vector<double> hub_arcs_to;  // the same, by class of the hub
    double found = 0;                 // rows that have an arc to a hub of the frontier
    double found_hubs = 0;            // hubs that are found in the level, in any way
    double open_rows = 0;             // rows that the hubs did not find, without leaves
    double open_arcs = 0;             // all arcs of these rows that do not lead to hubs
    double queries = 0;               // the arcs among these over which queries are sent, until the first hit
    double pushes = 0;                // arcs of the frontier's vertices that are no hubs: to no hubs, without those to
                                      // parents, and to hubs that the hubs did not find
    double unlisted_pushes = 0;       // the same of hubs that have no list on each rank
    double listed_arcs = 0;           // arcs of the frontier's other hubs
};
/// `listed_hubs`, the first of the hubs, have a list of their arcs on each rank.
HubWork hub_work(const VertexClasses& classes, const FieldLevel& level, double hubs, double listed_hubs);

/// The messages by which a rank receives the hubs that a level finds: `found` of all `hubs`, `own` of which the
/// rank owns.
MessageCount hub_messages(std::uint64_t found, std::uint64_t own, std::uint64_t hubs, std::uint64_t ranks);

/// The messages that a rank receives over arcs between other vertices: pushes, or queries of other ranks and the
/// answers to its own queries. The arguments are the numbers of received items.
MessageCount push_messages(std::uint64_t pushes);
MessageCount query_messages(std::uint64_t queries, std::uint64_t answers);

/// The mean messages of a rank in a level, and the arcs over which it pushes or sends queries.
RankWork mean_rank_work(const HubWork& work, const algo::HubLevelChoice& choice, double hubs, int ranks);

}  // namespace wayfront::model

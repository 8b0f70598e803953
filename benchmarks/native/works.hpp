// The works, each in the file that it is named after.
#pragma once

#include "run.hpp"

namespace weir {

extern const Work kPassthrough;
extern const Work kTrafficCount;
extern const Work kPerSource;
extern const Work kByTcpFlags;
extern const Work kByBytes;
extern const Work kHeavyHitter;
extern const Work kNewTcpConnections;
extern const Work kSshBruteForce;
extern const Work kSuperspreader;
extern const Work kPortScan;
extern const Work kDdos;
extern const Work kSynFlood;
extern const Work kSlowloris;
extern const Work kTcpNonMonotonic;
extern const Work kTcpOutOfSequence;
extern const Work kHeavyHitterPackets;
extern const Work kCompletedFlows;
extern const Work kSynFloodHandshakes;

}  // namespace weir

// Receives frames from ports of DPDK: cards and virtual devices.
#pragma once

#include <stdint.h>

enum { BURST = 256, ERROR_BYTES = 1024 };

// A received frame, in place: io.weir.ingest.packets.BurstCursor.
typedef struct {
    const uint8_t *at; // the first captured byte
    uint32_t captured;
    uint32_t wire; // bytes on the wire, with the link layer
    int64_t ts_ns;
    uint32_t on;       // the interface: Queue.on
    uint8_t direction; // always 0: a port does not tell it
    uint8_t unused[3];
} Frame;

// How a port is set up: io.weir.ingest.wire.dpdk.PortSettings.
typedef struct {
    int64_t queues;
    int64_t descriptors; // of each queue
    int64_t buffers;     // of all queues
    int64_t room;        // bytes of a buffer
    int64_t mtu;         // 0: the device's own
    int64_t hash;        // one of Hash
} Settings;

// The fields that choose a frame's queue.
enum Hash { HASH_NONE, HASH_ADDRESSES, HASH_PORTS };

// A receive queue: io.weir.ingest.wire.dpdk.DpdkQueue. One thread uses it.
typedef struct {
    int64_t missed;     // packets of the port without a free descriptor, so far
    int64_t errors;     // packets that the port found broken, so far
    int64_t no_buffers; // packets without a free buffer, so far
    int64_t gone;       // 1: the device was removed
    uint16_t port;
    uint16_t queue;
    uint16_t held;    // buffers that the reader may still read
    uint16_t waiting; // buffers that came while queue_wait waited
    int32_t stamp_at; // place of the driver's stamp in a buffer; -1: the clock's
    int32_t spins;    // 1: queue_wait never sleeps
    uint64_t stamp_flag;
    int64_t waiting_ns; // when they came
    int64_t checked_ns; // when the counts were read
    int64_t on;         // the interface of its frames
    uint32_t age;       // of the port, when the queue was opened
    uint32_t unused;
    void *buffers[BURST];
} Queue;

// All of these return a negative number, and write a text of the error, if they fail.

// Starts DPDK, once per process. The calling thread keeps its cores. The options are texts, one
// after another; an empty one ends them.
int32_t environment_start(const char *options, char *error);

// Plugs a device in, sets its queues up and starts it. Returns the port's number.
int32_t port_open(const char *device, const Settings *settings, char *error);

// Stops it and plugs it out. The queues are closed.
void port_close(int32_t port);

// Returns whether its driver says that the link is down; 0 if it does not tell. Any thread.
int32_t port_link_is_down(uint16_t port);

// Returns the number of devices that have left a port's number so far.
uint32_t port_age(uint16_t port);

// Opens a queue for the calling thread.
int32_t queue_open(Queue *queue, int32_t core, char *error);

// Frees the last burst's buffers, receives the next, and describes up to BURST frames.
int32_t queue_receive(Queue *queue, Frame *frames);

// Waits until frames are there. Returns how many.
int32_t queue_wait(Queue *queue, int64_t timeout_ns);

// Frees its buffers.
void queue_close(Queue *queue);

// Writes the error's text: of Weir, of the system, and the last line that DPDK logged.
int32_t failed(char *error, const char *text, int code);

// Forgets lines of the log.
void log_clear(void);

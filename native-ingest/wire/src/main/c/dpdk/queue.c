// Receives bursts of a queue, and describes their frames in place.
#define _GNU_SOURCE
#include "dpdk.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include <rte_ethdev.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>

enum {
    PART = 64,             // frames of one call of the driver
    AHEAD = 8,             // frames whose headers are asked for ahead
    CHECKED_NS = 10000000, // between two looks at the counts
    SPUN_NS = 50000,       // before a wait sleeps
    SLEPT_NS = 20000
};

static pthread_once_t keyed = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;

static void thread_ends(void *value) {
    (void)value;
    rte_thread_unregister();
}

static void make_key(void) {
    pthread_key_create(&thread_key, thread_ends);
}

// A thread that DPDK knows has a cache of buffers. It is forgotten when it ends.
static void know_thread(void) {
    if (rte_lcore_id() == LCORE_ID_ANY && !rte_thread_register()) {
        pthread_once(&keyed, make_key);
        pthread_setspecific(thread_key, &thread_key);
    }
}

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int pin(int32_t core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET((size_t)core, &cores);
    return pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

// Only net_pcap's stamps are times since the epoch, in microseconds. Stamps of cards are ticks.
static void find_stamps(Queue *queue) {
    struct rte_eth_dev_info info;
    queue->stamp_at = -1;
    if (rte_eth_dev_info_get(queue->port, &info) || strcmp(info.driver_name, "net_pcap")) {
        return;
    }
    int flag = rte_mbuf_dynflag_lookup(RTE_MBUF_DYNFLAG_RX_TIMESTAMP_NAME, NULL);
    if (flag >= 0) {
        queue->stamp_at = rte_mbuf_dynfield_lookup(RTE_MBUF_DYNFIELD_TIMESTAMP_NAME, NULL);
        queue->stamp_flag = 1ULL << flag;
    }
}

int32_t queue_open(Queue *queue, int32_t core, char *error) {
    log_clear();
    if (core >= 0) {
        int code = pin(core);
        if (code) {
            return failed(error, "the thread cannot be on this core", code);
        }
    }
    queue->held = queue->waiting = 0;
    queue->checked_ns = 0;
    queue->age = port_age(queue->port);
    find_stamps(queue);
    return 0;
}

// Queue 0 counts for its port: most ports count not by queue.
static void check(Queue *queue) {
    struct rte_eth_stats stats;
    if (queue->age != port_age(queue->port) || rte_eth_dev_is_removed(queue->port)) {
        queue->gone = 1;
        return;
    }
    if (queue->queue == 0 && !rte_eth_stats_get(queue->port, &stats)) {
        queue->missed = (int64_t)stats.imissed;
        queue->errors = (int64_t)stats.ierrors;
        queue->no_buffers = (int64_t)stats.rx_nombuf;
    }
}

static void check_at(Queue *queue, int64_t now_ns) {
    if (now_ns - queue->checked_ns >= CHECKED_NS || now_ns < queue->checked_ns) {
        queue->checked_ns = now_ns;
        check(queue);
    }
}

static void free_held(Queue *queue) {
    if (queue->held) {
        rte_pktmbuf_free_bulk((struct rte_mbuf **)queue->buffers, queue->held);
        queue->held = 0;
    }
}

static uint16_t take(Queue *queue) {
    struct rte_mbuf **buffers = (struct rte_mbuf **)queue->buffers;
    uint16_t count = 0, came;
    if (queue->age != port_age(queue->port)) {
        return 0; // the device is gone, and another may have its number
    }
    do {
        uint16_t most = BURST - count < PART ? BURST - count : PART;
        came = rte_eth_rx_burst(queue->port, queue->queue, buffers + count, most);
        count += came;
    } while (came == PART && count < BURST);
    return count;
}

static void describe(const Queue *queue, Frame *frames, uint16_t count, int64_t now_ns) {
    struct rte_mbuf *const *buffers = (struct rte_mbuf *const *)queue->buffers;
    for (uint16_t i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            rte_prefetch0(rte_pktmbuf_mtod(buffers[i + AHEAD], void *));
        }
        const struct rte_mbuf *buffer = buffers[i];
        int64_t ts_ns = now_ns;
        if (queue->stamp_at >= 0 && buffer->ol_flags & queue->stamp_flag) {
            ts_ns = *RTE_MBUF_DYNFIELD(buffer, queue->stamp_at, const int64_t *) * 1000;
        }
        // Of a chain of buffers, the first one has the headers.
        frames[i] = (Frame){.at = rte_pktmbuf_mtod(buffer, const uint8_t *),
                            .captured = buffer->data_len,
                            .wire = buffer->pkt_len,
                            .ts_ns = ts_ns,
                            .on = (uint32_t)queue->on};
    }
}

int32_t queue_receive(Queue *queue, Frame *frames) {
    int64_t now_ns;
    uint16_t count = queue->waiting;
    know_thread();
    if (count) {
        now_ns = queue->waiting_ns;
        queue->waiting = 0;
    } else {
        free_held(queue);
        count = take(queue);
        now_ns = now(CLOCK_REALTIME);
    }
    check_at(queue, now_ns);
    describe(queue, frames, count, now_ns);
    queue->held = count;
    return count;
}

static void rest(const Queue *queue, int64_t waited_ns) {
    if (queue->spins || waited_ns < SPUN_NS) {
        rte_pause();
    } else {
        struct timespec time = {0, SLEPT_NS};
        nanosleep(&time, NULL);
    }
}

int32_t queue_wait(Queue *queue, int64_t timeout_ns) {
    int64_t begun_ns = now(CLOCK_MONOTONIC), waited_ns = 0;
    if (queue->waiting) {
        return queue->waiting;
    }
    know_thread();
    free_held(queue);
    while (!(queue->waiting = take(queue)) && waited_ns < timeout_ns) {
        rest(queue, waited_ns);
        waited_ns = now(CLOCK_MONOTONIC) - begun_ns;
    }
    queue->waiting_ns = now(CLOCK_REALTIME);
    check_at(queue, queue->waiting_ns);
    return queue->waiting;
}

void queue_close(Queue *queue) {
    check(queue);
    queue->held += queue->waiting;
    queue->waiting = 0;
    free_held(queue);
}

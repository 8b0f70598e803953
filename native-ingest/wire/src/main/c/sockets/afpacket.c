#include "afpacket.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TAG_BYTES = 4, MACS_BYTES = 12, SLOT_BYTES = 2048, FANOUT_TYPE_SHIFT = 16 };
enum { COOKED_BYTES = 20, COOKED_ADDRESS = 12 }; // LINKTYPE_LINUX_SLL2

typedef struct tpacket_block_desc Block;
typedef struct tpacket3_hdr Header;

struct Ring {
    int64_t lost; // packets that the kernel dropped so far; Java reads it
    int fd;
    int ethernet;
    int all;  // interfaces
    int skip; // frames of this direction
    char *map;
    int64_t block_bytes;
    int64_t blocks;
    int64_t next;     // the block that is read, or comes next
    int64_t consumed; // blocks before it that are still to be given back
    int64_t left;     // frames of it that were not described yet
    const char *header; // the next of them
};

static Block *block_at(const Ring *ring, int64_t number) {
    return (Block *)(ring->map + (number % ring->blocks) * ring->block_bytes);
}

// ---- receiving

// Reading the kernel's count clears it.
static void count_drops(Ring *ring) {
    struct tpacket_stats_v3 stats;
    socklen_t bytes = sizeof stats;
    if (getsockopt(ring->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &bytes) == 0) {
        ring->lost += stats.tp_drops;
    }
}

static void put_16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static uint32_t tag_type(const Header *header) {
    return header->tp_status & TP_STATUS_VLAN_TPID_VALID ? header->hv1.tp_vlan_tpid : ETH_P_8021Q;
}

// The kernel takes the outer tag out of the frame. There is room for it before the frame.
static void put_tag_back(const Header *header, Frame *frame) {
    if (frame->captured < MACS_BYTES) {
        return;
    }
    uint8_t *at = (uint8_t *)frame->at - TAG_BYTES;
    memmove(at, frame->at, MACS_BYTES);
    put_16(at + MACS_BYTES, tag_type(header));
    put_16(at + MACS_BYTES + 2, header->hv1.tp_vlan_tci);
    frame->at = at;
    frame->captured += TAG_BYTES;
    frame->wire += TAG_BYTES;
}

// Frames of all interfaces begin with the network header: a link header of one kind goes before it.
static void put_cooked(const Header *header, const struct sockaddr_ll *link, Frame *frame) {
    int tagged = (header->tp_status & TP_STATUS_VLAN_VALID) != 0;
    int bytes = COOKED_BYTES + (tagged ? TAG_BYTES : 0);
    uint8_t *at = (uint8_t *)frame->at - bytes;
    memset(at, 0, COOKED_BYTES);
    if (tagged) {
        put_16(at, tag_type(header));
        put_16(at + COOKED_BYTES, header->hv1.tp_vlan_tci);
        memcpy(at + COOKED_BYTES + 2, &link->sll_protocol, 2);
    } else {
        memcpy(at, &link->sll_protocol, 2);
    }
    put_16(at + 4, (uint32_t)link->sll_ifindex >> 16);
    put_16(at + 6, (uint32_t)link->sll_ifindex);
    put_16(at + 8, link->sll_hatype);
    at[10] = link->sll_pkttype;
    at[11] = link->sll_halen;
    memcpy(at + COOKED_ADDRESS, link->sll_addr, sizeof link->sll_addr);
    frame->at = at;
    frame->captured += (uint32_t)bytes;
    frame->wire += (uint32_t)bytes;
}

// Describes a frame. Returns 0 if it goes in a direction that is not asked for.
static int describe(const Ring *ring, const Header *header, Frame *frame) {
    const struct sockaddr_ll *link =
        (const struct sockaddr_ll *)((const char *)header + TPACKET_ALIGN(sizeof *header));
    uint8_t direction = link->sll_pkttype == PACKET_OUTGOING ? OUTWARD : INWARD;
    // A loopback shows each packet twice: as it leaves, and as it comes in.
    if (direction == ring->skip ||
        (direction == OUTWARD && link->sll_hatype == ARPHRD_LOOPBACK && ring->all)) {
        return 0;
    }
    *frame = (Frame){
        .at = (const uint8_t *)header + header->tp_mac,
        .captured = header->tp_snaplen,
        .wire = header->tp_len,
        .ts_ns = (int64_t)header->tp_sec * 1000000000 + header->tp_nsec,
        .on = (uint32_t)link->sll_ifindex,
        .direction = direction,
    };
    if (ring->all) {
        put_cooked(header, link, frame);
    } else if (ring->ethernet && header->tp_status & TP_STATUS_VLAN_VALID) {
        put_tag_back(header, frame);
    }
    return 1;
}

static void give_back(Ring *ring) {
    for (; ring->consumed > 0; ring->consumed--) {
        Block *block = block_at(ring, ring->next - ring->consumed);
        // The kernel reads the status before it writes into the block again.
        __atomic_store_n(&block->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
    }
}

// Begins the next block, if the kernel has handed it over.
static int begin_block(Ring *ring) {
    Block *block = block_at(ring, ring->next);
    // It pairs with the kernel's store after the block's frames.
    uint32_t status = __atomic_load_n(&block->hdr.bh1.block_status, __ATOMIC_ACQUIRE);
    if (ring->consumed == ring->blocks || !(status & TP_STATUS_USER)) {
        return 0;
    }
    if (status & TP_STATUS_LOSING) {
        count_drops(ring);
    }
    ring->left = block->hdr.bh1.num_pkts;
    ring->header = (const char *)block + block->hdr.bh1.offset_to_first_pkt;
    return 1;
}

int64_t ring_receive(Ring *ring, Frame *frames, int64_t most) {
    int64_t count = 0;
    give_back(ring);
    while (count < most && (ring->left > 0 || begin_block(ring))) {
        for (; ring->left > 0 && count < most; ring->left--) {
            const Header *header = (const Header *)ring->header;
            __builtin_prefetch(ring->header + header->tp_next_offset);
            count += describe(ring, header, &frames[count]);
            ring->header += header->tp_next_offset;
        }
        if (ring->left == 0) {
            ring->next++;
            ring->consumed++;
        }
    }
    return count;
}

int64_t ring_poll(Ring *ring, int64_t timeout_ms) {
    struct pollfd fd = {.fd = ring->fd, .events = POLLIN | POLLERR};
    // A block that is not given back looks to the kernel like one that can be read.
    give_back(ring);
    int ready = poll(&fd, 1, (int)timeout_ms);
    if (ready < 0) {
        return errno == EINTR ? 0 : -errno;
    }
    if (ready == 0) {
        count_drops(ring);
        return 0;
    }
    if (fd.revents & (POLLERR | POLLHUP | POLLNVAL)) {
        int error = 0;
        socklen_t bytes = sizeof error;
        getsockopt(ring->fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
        if (error != 0) {
            count_drops(ring);
            return -error;
        }
    }
    return 1;
}

// ---- opening and closing

static int failed(Settings *settings, const char *call) {
    int error = errno;
    snprintf(settings->text, TEXT_BYTES, "%s: %s", call, strerror(error));
    return error == 0 ? -EINVAL : -error;
}

// Lets so many bytes of each frame pass; 0 for no frame.
static int set_snap(int fd, uint32_t bytes) {
    struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, bytes);
    struct sock_fprog program = {.len = 1, .filter = &code};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

static int set_int(int fd, int option, int value) {
    return setsockopt(fd, SOL_PACKET, option, &value, sizeof value);
}

static int stamp_by_card(int fd, const char *name) {
    struct hwtstamp_config config = {.rx_filter = HWTSTAMP_FILTER_ALL};
    struct ifreq request = {.ifr_data = (char *)&config};
    memcpy(request.ifr_name, name, IFNAMSIZ);
    return ioctl(fd, SIOCSHWTSTAMP, &request) < 0
               ? -1
               : set_int(fd, PACKET_TIMESTAMP, SOF_TIMESTAMPING_RAW_HARDWARE);
}

static int map_ring(Ring *ring, Settings *settings) {
    struct tpacket_req3 request = {
        .tp_block_size = (unsigned)settings->block_bytes,
        .tp_block_nr = (unsigned)settings->blocks,
        .tp_frame_size = SLOT_BYTES,
        .tp_frame_nr = (unsigned)(settings->block_bytes / SLOT_BYTES * settings->blocks),
        .tp_retire_blk_tov = (unsigned)settings->block_ms,
    };
    if (set_int(ring->fd, PACKET_VERSION, TPACKET_V3) < 0) {
        return failed(settings, "PACKET_VERSION");
    }
    if (set_int(ring->fd, PACKET_RESERVE, TAG_BYTES + (ring->all ? COOKED_BYTES : 0)) < 0) {
        return failed(settings, "PACKET_RESERVE");
    }
    if (setsockopt(ring->fd, SOL_PACKET, PACKET_RX_RING, &request, sizeof request) < 0) {
        return failed(settings, "PACKET_RX_RING");
    }
    size_t bytes = (size_t)(ring->block_bytes * ring->blocks);
    void *map = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd, 0);
    if (map == MAP_FAILED) {
        return failed(settings, "mmap");
    }
    ring->map = map;
    return 0;
}

static int join(Ring *ring, const Settings *settings, int index) {
    struct packet_mreq all = {.mr_ifindex = index, .mr_type = PACKET_MR_PROMISC};
    if (settings->promiscuous && !ring->all &&
        setsockopt(ring->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) < 0) {
        return -1;
    }
    int group = (int)(settings->fanout | PACKET_FANOUT_HASH << FANOUT_TYPE_SHIFT);
    return settings->fanout < 0 ? 0 : set_int(ring->fd, PACKET_FANOUT, group);
}

// Looks at the interface, and takes what it tells. Returns its index.
static int look_at(Ring *ring, Settings *settings) {
    struct ifreq request = {0};
    memcpy(request.ifr_name, settings->name, IFNAMSIZ);
    if (ioctl(ring->fd, SIOCGIFINDEX, &request) < 0) {
        return failed(settings, "SIOCGIFINDEX");
    }
    int index = request.ifr_ifindex;
    if (ioctl(ring->fd, SIOCGIFHWADDR, &request) < 0) {
        return failed(settings, "SIOCGIFHWADDR");
    }
    settings->hardware_type = request.ifr_hwaddr.sa_family;
    int loopback = settings->hardware_type == ARPHRD_LOOPBACK;
    ring->ethernet = loopback || settings->hardware_type == ARPHRD_ETHER;
    ring->skip = loopback && settings->direction == BOTH_WAYS ? OUTWARD : ring->skip;
    if (settings->hardware && stamp_by_card(ring->fd, settings->name) < 0) {
        return failed(settings, "SIOCSHWTSTAMP");
    }
    return index;
}

static int attach(Ring *ring, Settings *settings) {
    ring->skip = settings->direction == ONLY_OUT  ? INWARD
                 : settings->direction == ONLY_IN ? OUTWARD
                                                  : UNKNOWN_DIRECTION;
    int index = ring->all ? 0 : look_at(ring, settings);
    if (index < 0) {
        return index;
    }
    // Until the queue is in its group, it would get packets of other queues, too.
    if (set_snap(ring->fd, 0) < 0) {
        return failed(settings, "SO_ATTACH_FILTER");
    }
    struct sockaddr_ll to = {
        .sll_family = AF_PACKET, .sll_protocol = __builtin_bswap16(ETH_P_ALL), .sll_ifindex = index};
    if (bind(ring->fd, (struct sockaddr *)&to, sizeof to) < 0) {
        return failed(settings, "bind");
    }
    if (join(ring, settings, index) < 0) {
        return failed(settings, "PACKET_FANOUT or PACKET_ADD_MEMBERSHIP");
    }
    return set_snap(ring->fd, (uint32_t)settings->snap) < 0 ? failed(settings, "SO_ATTACH_FILTER")
                                                            : 0;
}

int64_t ring_open(Settings *settings) {
    Ring *ring = calloc(1, sizeof *ring);
    if (ring == 0) {
        return failed(settings, "calloc");
    }
    ring->block_bytes = settings->block_bytes;
    ring->blocks = settings->blocks;
    ring->all = settings->name[0] == 0;
    // Protocol 0: no packet comes before the queue is ready.
    int kind = ring->all ? SOCK_DGRAM : SOCK_RAW;
    ring->fd = socket(AF_PACKET, kind | SOCK_CLOEXEC, 0);
    int result = ring->fd < 0 ? failed(settings, "socket") : map_ring(ring, settings);
    if (result == 0) {
        result = attach(ring, settings);
    }
    if (result != 0) {
        ring_close(ring);
        return result;
    }
    return (int64_t)(intptr_t)ring;
}

void ring_close(Ring *ring) {
    if (ring->map != 0) {
        munmap(ring->map, (size_t)(ring->block_bytes * ring->blocks));
    }
    if (ring->fd >= 0) {
        close(ring->fd);
    }
    free(ring);
}

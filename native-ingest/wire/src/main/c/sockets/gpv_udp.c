#define _GNU_SOURCE
#include "gpv_udp.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

static void put_address(struct in6_addr *to, uint64_t high, uint64_t low) {
    uint64_t words[2] = {__builtin_bswap64(high), __builtin_bswap64(low)};
    memcpy(to, words, sizeof words);
}

static void set_up_messages(GpvUdp *udp) {
    for (int i = 0; i < GPV_BURST; i++) {
        udp->parts[i] = (struct iovec){udp->datagrams[i], GPV_DATAGRAM_BYTES};
        udp->messages[i].msg_hdr = (struct msghdr){
            .msg_name = &udp->from[i],
            .msg_iov = &udp->parts[i],
            .msg_iovlen = 1,
            .msg_control = udp->control[i],
        };
    }
}

static int bind_socket(GpvUdp *udp, const struct sockaddr_in6 *to, int buffer_bytes) {
    int on = 1;
    int off = 0;
    int fd = udp->descriptor;
    // As root the buffer may be larger than the system's limit.
    if (buffer_bytes > 0 &&
        setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer_bytes, sizeof buffer_bytes) != 0 &&
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes) != 0) {
        return -errno;
    }
    if (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on) != 0 ||
        bind(fd, (const struct sockaddr *)to, sizeof *to) != 0) {
        return -errno;
    }
    struct sockaddr_in6 bound;
    socklen_t length = sizeof bound;
    if (getsockname(fd, (struct sockaddr *)&bound, &length) != 0) {
        return -errno;
    }
    udp->port = ntohs(bound.sin6_port);
    length = sizeof udp->buffer_bytes;
    return getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &udp->buffer_bytes, &length) == 0 ? 0 : -errno;
}

int gpv_open(GpvUdp *udp, uint64_t high, uint64_t low, int port, int buffer_bytes) {
    struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    put_address(&to.sin6_addr, high, low);
    set_up_messages(udp);
    udp->descriptor = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (udp->descriptor < 0) {
        return -errno;
    }
    int failed = bind_socket(udp, &to, buffer_bytes);
    if (failed != 0) {
        gpv_close(udp);
    }
    return failed;
}

// The kernel tells the sum of its drops with each datagram that comes after one.
static void count_drops(GpvUdp *udp, struct msghdr *message) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL) {
            uint32_t sum;
            memcpy(&sum, CMSG_DATA(c), sizeof sum);
            udp->dropped += (uint32_t)(sum - udp->last_dropped);
            udp->last_dropped = sum;
        }
    }
}

static int await(const GpvUdp *udp, int timeout_ms) {
    struct pollfd waited = {.fd = udp->descriptor, .events = POLLIN};
    int ready = poll(&waited, 1, timeout_ms);
    return ready < 0 && errno != EINTR ? -errno : ready > 0;
}

static int receive(GpvUdp *udp) {
    for (int i = 0; i < GPV_BURST; i++) {
        udp->messages[i].msg_hdr.msg_namelen = sizeof udp->from[i];
        udp->messages[i].msg_hdr.msg_controllen = GPV_CONTROL_BYTES;
    }
    int received = recvmmsg(udp->descriptor, udp->messages, GPV_BURST, MSG_DONTWAIT, NULL);
    if (received >= 0) {
        return received;
    }
    return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

int gpv_receive(GpvUdp *udp, int timeout_ms) {
    int received = receive(udp);
    if (received == 0) {
        int ready = await(udp, timeout_ms);
        received = ready > 0 ? receive(udp) : ready;
    }
    int blocks = 0;
    for (int i = 0; i < received; i++) {
        struct msghdr *message = &udp->messages[i].msg_hdr;
        count_drops(udp, message);
        uint64_t high = gpv_get64(udp->from[i].sin6_addr.s6_addr);
        uint64_t low = gpv_get64(udp->from[i].sin6_addr.s6_addr + 8);
        if (!gpv_is_allowed(udp->allowed, udp->allowed_count, high, low)) {
            udp->not_allowed++;
            continue;
        }
        GpvBlock *block = &udp->blocks[blocks++];
        block->sender_high = high;
        block->sender_low = low;
        block->fault = message->msg_flags & MSG_TRUNC
                           ? GPV_TOO_LONG
                           : gpv_check(udp->datagrams[i], udp->messages[i].msg_len, block);
    }
    return received < 0 ? received : blocks;
}

void gpv_close(GpvUdp *udp) {
    if (udp->descriptor >= 0) {
        close(udp->descriptor);
        udp->descriptor = -1;
    }
}

// Ports of DPDK: plugged in, set up with receive queues, started, and plugged out.
#include "dpdk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

enum { CACHED_BUFFERS = 256, NAME_BYTES = 256 };

// Devices that have left each port's number. Threads of DPDK count them.
static _Atomic uint32_t ages[RTE_MAX_ETHPORTS];

uint32_t port_age(uint16_t port) {
    return ages[port];
}

static int left(uint16_t port, enum rte_eth_event_type event, void *argument, void *more) {
    (void)event;
    (void)argument;
    (void)more;
    ages[port]++;
    return 0;
}

// Hears of a card that is pulled, and of a device that DPDK is told to remove.
static int hear_of_removal(uint16_t port) {
    int code = rte_eth_dev_callback_register(port, RTE_ETH_EVENT_INTR_RMV, left, NULL);
    return code ? code : rte_eth_dev_callback_register(port, RTE_ETH_EVENT_DESTROY, left, NULL);
}

// A device's name is the text before its arguments.
static void name_of(const char *device, char *name) {
    size_t length = strcspn(device, ",");
    snprintf(name, NAME_BYTES, "%.*s", (int)length, device);
}

static struct rte_device *device_of(uint16_t port) {
    struct rte_eth_dev_info info;
    return rte_eth_dev_info_get(port, &info) ? NULL : info.device;
}

static int find(const char *name, uint16_t *port) {
    if (!rte_eth_dev_get_port_by_name(name, port)) {
        return 0;
    }
    RTE_ETH_FOREACH_DEV(*port) {
        struct rte_device *device = device_of(*port);
        if (device && !strcmp(rte_dev_name(device), name)) {
            return 0;
        }
    }
    return -ENODEV;
}

static uint64_t fields(int64_t hash) {
    switch (hash) {
    case HASH_ADDRESSES:
        return RTE_ETH_RSS_IP;
    case HASH_PORTS:
        return RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP | RTE_ETH_RSS_SCTP;
    default:
        return 0;
    }
}

static int configure(uint16_t port, const Settings *settings,
                     const struct rte_eth_dev_info *info) {
    struct rte_eth_conf conf = {0};
    conf.intr_conf.rmv = *info->dev_flags & RTE_ETH_DEV_INTR_RMV ? 1 : 0;
    conf.rx_adv_conf.rss_conf.rss_hf = fields(settings->hash) & info->flow_type_rss_offloads;
    if (settings->queues > 1 && conf.rx_adv_conf.rss_conf.rss_hf) {
        conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
    }
    if (settings->mtu) {
        conf.rxmode.mtu = (uint32_t)settings->mtu;
        if (settings->mtu + RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN > settings->room) {
            conf.rxmode.offloads = info->rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER;
        }
    }
    return rte_eth_dev_configure(port, (uint16_t)settings->queues, 0, &conf);
}

static int set_queues_up(uint16_t port, const Settings *settings, struct rte_mempool *pool) {
    uint16_t sent = 0, received = (uint16_t)settings->descriptors;
    int code = rte_eth_dev_adjust_nb_rx_tx_desc(port, &received, &sent);
    for (uint16_t queue = 0; !code && queue < settings->queues; queue++) {
        code = rte_eth_rx_queue_setup(port, queue, received,
                                      (unsigned)rte_eth_dev_socket_id(port), NULL, pool);
    }
    return code;
}

static int32_t set_up(uint16_t port, const Settings *settings, char *error) {
    struct rte_eth_dev_info info;
    int code = rte_eth_dev_info_get(port, &info);
    if (code) {
        return failed(error, "the port does not describe itself", code);
    }
    if (settings->queues > info.max_rx_queues) {
        snprintf(error, ERROR_BYTES, "the port has %u receive queues at most", info.max_rx_queues);
        return -EINVAL;
    }
    char name[32];
    snprintf(name, sizeof name, "weir-%u", port);
    struct rte_mempool *pool = rte_pktmbuf_pool_create(
        name, (unsigned)settings->buffers, CACHED_BUFFERS, 0,
        (uint16_t)(settings->room + RTE_PKTMBUF_HEADROOM), rte_eth_dev_socket_id(port));
    if (!pool) {
        return failed(error, "there is no memory for the buffers", rte_errno);
    }
    if ((code = configure(port, settings, &info)) < 0) {
        return failed(error, "the port takes no such settings", code);
    }
    if ((code = set_queues_up(port, settings, pool)) < 0) {
        return failed(error, "a receive queue cannot be set up", code);
    }
    if ((code = hear_of_removal(port)) < 0) {
        return failed(error, "the port tells no events", code);
    }
    if ((code = rte_eth_dev_start(port)) < 0) {
        return failed(error, "the port does not start", code);
    }
    rte_eth_stats_reset(port);
    rte_eth_promiscuous_enable(port); // some virtual ports have no such mode, and need none
    return port;
}

int32_t port_open(const char *device, const Settings *settings, char *error) {
    char name[NAME_BYTES];
    uint16_t port;
    name_of(device, name);
    log_clear();
    int code = rte_dev_probe(device);
    if (code < 0 && code != -EEXIST) {
        return failed(error, "the device cannot be opened", code);
    }
    if (find(name, &port)) {
        return failed(error, "the device has no port", -ENODEV);
    }
    int32_t result = set_up(port, settings, error);
    if (result < 0) {
        port_close(port);
    }
    return result;
}

void port_close(int32_t port) {
    struct rte_device *device = device_of((uint16_t)port);
    char name[32];
    snprintf(name, sizeof name, "weir-%u", (unsigned)port);
    rte_eth_dev_callback_unregister((uint16_t)port, RTE_ETH_EVENT_INTR_RMV, left, NULL);
    rte_eth_dev_callback_unregister((uint16_t)port, RTE_ETH_EVENT_DESTROY, left, NULL);
    rte_eth_dev_stop((uint16_t)port);
    rte_eth_dev_close((uint16_t)port);
    if (device) {
        rte_dev_remove(device);
    }
    rte_mempool_free(rte_mempool_lookup(name));
}

int32_t port_link_is_down(uint16_t port) {
    struct rte_eth_link link;
    return rte_eth_link_get_nowait(port, &link) == 0 && link.link_status == RTE_ETH_LINK_DOWN;
}

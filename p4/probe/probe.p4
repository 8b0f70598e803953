// A probe: a switch can write Weir's blocks (docs/GPV.md). Each packet becomes one GPV of flow32.
// For p4c's DPDK backend, --arch pna. The cache that groups packets comes later.
#include <core.p4>
#include <pna.p4>

header shim_h { bit<64> ns; bit<16> port; bit<16> frame_bytes; bit<32> unused; }
header ethernet_h { bit<48> dst_mac; bit<48> src_mac; bit<16> etype; }
header ipv4_h {
    bit<8> version_ihl; bit<8> tos; bit<16> bytes; bit<16> id; bit<16> fragment;
    bit<8> ttl; bit<8> proto; bit<16> checksum; bit<32> src_addr; bit<32> dst_addr;
}
header udp_h { bit<16> src_port; bit<16> dst_port; bit<16> bytes; bit<16> checksum; }
header ports_h { bit<16> src_port; bit<16> dst_port; }
header block_h {
    bit<32> magic; bit<8> version; bit<8> layout; bit<16> instance; bit<32> source;
    bit<32> epoch; bit<32> sequence; bit<16> gpvs; bit<16> packets; bit<64> total;
    bit<64> watermark;
}
header gpv_h {
    bit<32> src_addr; bit<32> dst_addr; bit<16> src_port; bit<16> dst_port; bit<8> proto;
    bit<8> in_if; bit<16> count; bit<64> start;
}
header tuple_h { bit<32> word; }

struct headers_t {
    shim_h shim; ethernet_h ethernet; ipv4_h ipv4; ports_h ports; ethernet_h to_ethernet;
    ipv4_h to_ipv4; udp_h to_udp; block_h block; gpv_h gpv; tuple_h[1] tuples;
}
struct metadata_t { bit<32> sequence; bit<64> total; bit<32> word; }

parser Reads(packet_in pkt, out headers_t h, inout metadata_t m,
             in pna_main_parser_input_metadata_t in_meta) {
    state start {
        pkt.extract(h.shim);
        pkt.extract(h.ethernet);
        pkt.extract(h.ipv4);
        pkt.extract(h.ports);
        transition accept;
    }
}
control Before(in headers_t h, inout metadata_t m, in pna_pre_input_metadata_t in_meta,
               inout pna_pre_output_metadata_t out_meta) { apply { } }

control Exports(inout headers_t h, inout metadata_t m, in pna_main_input_metadata_t in_meta,
                inout pna_main_output_metadata_t out_meta) {
    Register<bit<32>, bit<32>>(1, 0) sequence;
    Register<bit<64>, bit<32>>(1, 0) total;
    Register<bit<32>, bit<32>>(1, 0x5EED1234) epoch; // the controller draws it
    apply {
        m.sequence = sequence.read(0);
        m.total = total.read(0);
        h.block = {0x57475056, 1, 0, 0, 7, epoch.read(0), m.sequence, 1, 1, m.total, 0};
        h.gpv = {h.ipv4.src_addr, h.ipv4.dst_addr, h.ports.src_port, h.ports.dst_port,
                 h.ipv4.proto, (bit<8>) h.shim.port, 1, h.shim.ns};
        m.word = (bit<32>) h.ipv4.bytes;
        m.word = m.word << 1;
        h.tuples[0].setValid();
        h.tuples[0].word = m.word;
        m.sequence = m.sequence + 1;
        sequence.write(0, m.sequence);
        m.total = m.total + 1;
        total.write(0, m.total);
        h.to_ethernet = {h.ethernet.dst_mac, h.ethernet.src_mac, 0x0800};
        h.to_ipv4 = {0x45, 0, 96, 0, 0, 64, 17, 0x7C8B, 0x7F000001, 0x7F000001};
        h.to_udp = {23600, 23600, 76, 0};
        h.shim.setInvalid();
        h.ethernet.setInvalid();
        h.ipv4.setInvalid();
        h.ports.setInvalid();
        send_to_port((PortId_t) 0);
    }
}
control Writes(packet_out pkt, in headers_t h, in metadata_t m,
               in pna_main_output_metadata_t out_meta) {
    apply {
        pkt.emit(h.to_ethernet);
        pkt.emit(h.to_ipv4);
        pkt.emit(h.to_udp);
        pkt.emit(h.block);
        pkt.emit(h.gpv);
        pkt.emit(h.tuples);
    }
}
PNA_NIC(Reads(), Before(), Exports(), Writes()) main;

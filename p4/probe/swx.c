// Runs a specification on DPDK's software switch: frames of one capture go in, those of another
// come out. For tests: it is no part of the product. Usage: swx SPEC IN.pcap OUT.pcap
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_mbuf.h>
#include <rte_swx_pipeline.h>
#include <rte_swx_port_source_sink.h>

enum { MOST = 256, LINE = 256, ROUNDS = 20000 };

static struct rte_swx_pipeline *pipeline;

static void require(int result, const char *what, const char *which) {
    if (result != 0) {
        fprintf(stderr, "%s %s: %d\n", what, which, result);
        exit(1);
    }
}

static char *next_line(FILE *spec, char *line) {
    while (fgets(line, LINE, spec) != NULL) {
        char *text = line + strspn(line, " \t");
        text[strcspn(text, "\r\n")] = 0;
        if (*text != 0 && *text != ';') {
            return text;
        }
    }
    return NULL;
}

static void read_struct(FILE *spec, const char *name) {
    static char names[MOST][LINE];
    struct rte_swx_field_params fields[MOST];
    char line[LINE];
    uint32_t count = 0;
    for (char *text = next_line(spec, line); *text != '}'; text = next_line(spec, line)) {
        if (sscanf(text, "bit<%u> %255s", &fields[count].n_bits, names[count]) != 2) {
            require(-1, "field", text);
        }
        fields[count].name = names[count];
        count++;
    }
    require(rte_swx_pipeline_struct_type_register(pipeline, name, fields, count, 0), "struct",
            name);
}

static void read_apply(FILE *spec) {
    const char *instructions[MOST];
    char line[LINE];
    uint32_t count = 0;
    for (char *text = next_line(spec, line); *text != '}'; text = next_line(spec, line)) {
        instructions[count++] = strdup(text);
    }
    require(rte_swx_pipeline_instructions_config(pipeline, instructions, count), "apply", "");
}

static void read_spec(FILE *spec) {
    char line[LINE];
    char name[LINE];
    char type[LINE];
    long long size;
    long long initial;
    for (char *text = next_line(spec, line); text != NULL; text = next_line(spec, line)) {
        if (sscanf(text, "struct %255s {", name) == 1) {
            read_struct(spec, name);
        } else if (sscanf(text, "metadata instanceof %255s", type) == 1) {
            require(rte_swx_pipeline_packet_metadata_register(pipeline, type), "metadata", type);
        } else if (sscanf(text, "header %255s instanceof %255s", name, type) == 2) {
            require(rte_swx_pipeline_packet_header_register(pipeline, name, type), "header", name);
        } else if (sscanf(text, "regarray %255s size %lli initval %lli", name, &size,
                          &initial) == 3) {
            require(rte_swx_pipeline_regarray_config(pipeline, name, size, initial), "regarray",
                    name);
        } else if (strcmp(text, "apply {") == 0) {
            read_apply(spec);
        } else {
            require(-1, "line", text);
        }
    }
}

int main(int argc, char **argv) {
    char *eal[] = {"swx",         "--no-huge",      "-m",    "64",           "--no-shconf",
                   "--no-pci",    "--no-telemetry", "--lcores", "0@(0-1)", "--log-level=4"};
    if (argc != 4 || rte_eal_init(sizeof eal / sizeof eal[0], eal) < 0) {
        require(-1, "swx SPEC IN.pcap OUT.pcap", "or EAL");
    }
    struct rte_mempool *pool =
        rte_pktmbuf_pool_create("frames", 8191, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
    require(rte_swx_pipeline_config(&pipeline, "probe", 0), "pipeline", "");
    struct rte_swx_port_source_params in = {
        .pool = pool, .file_name = argv[2], .n_loops = 1, .n_pkts_max = 1024};
    struct rte_swx_port_sink_params out = {.file_name = argv[3]};
    require(rte_swx_pipeline_port_in_config(pipeline, 0, "source", &in), "port", argv[2]);
    require(rte_swx_pipeline_port_out_config(pipeline, 0, "sink", &out), "port", argv[3]);
    FILE *spec = fopen(argv[1], "r");
    require(spec == NULL, "open", argv[1]);
    read_spec(spec);
    fclose(spec);
    require(rte_swx_pipeline_build(pipeline), "build", argv[1]);
    rte_swx_pipeline_run(pipeline, ROUNDS * 100);
    rte_swx_pipeline_flush(pipeline);
    rte_swx_pipeline_free(pipeline);
    return 0;
}

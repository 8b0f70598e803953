package io.weir.operators.window;

/**
 * The shape of panes that keep their heaviest groups.
 *
 * @param weightWord the word of a group's value that ranks it
 * @param creditWord the word with the part of the left-out weight that the group did not miss
 * @param packetsWord the word with the group's packets
 * @param panes how many are open at a time; each has an equal share of the memory
 */
public record TopKShape(int weightWord, int creditWord, int packetsWord, int panes) {}

package io.weir.operators.window;

/**
 * Of panes that keep their heaviest groups: which words of a group's value tell.
 *
 * @param weightWord by which groups are ranked
 * @param creditWord what a group has not missed of what was left out
 * @param packetsWord of the group
 * @param panes how many are open at a time; each has an equal share of the memory
 */
public record HeavyShape(int weightWord, int creditWord, int packetsWord, int panes) {}

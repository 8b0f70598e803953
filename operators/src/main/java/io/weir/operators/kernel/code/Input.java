package io.weir.operators.kernel.code;

/** What a kernel reads: the variables of the scan, and the loops over what carries them. */
interface Input extends Variables {
    /** Where code goes that is the same for all packets of a GPV. */
    Block outer();

    /** Where code goes that runs for each packet. */
    Block inner();

    /** Expression of how many packets a range of a GPV holds: an int. */
    String rangeCount();

    /** Expression of the packet's time, in {@link #inner}. */
    String time();

    /** Whether a GPV has many packets, so that it pays to fold them apart and merge once. */
    boolean isGrouped();
}

/** The whole command, as a user runs it: its rate, its memory and its answer. */
package io.weir.bench.command;

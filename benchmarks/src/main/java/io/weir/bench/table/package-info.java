/** Hash tables at high loads: linear probing beside an 8-way cuckoo table. */
package io.weir.bench.table;

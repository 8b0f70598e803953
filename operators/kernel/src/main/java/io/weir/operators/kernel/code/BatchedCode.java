package io.weir.operators.kernel.code;

/**
 * The common part of bodies that go through a {@link BatchCode batch}. A kernel that no packet can
 * pass has no batch, because nothing was written.
 */
abstract class BatchedCode implements Body {
    final BatchCode batch = new BatchCode();

    /**
     * Writes the method {@code update}, which puts the batch into the tables, and the methods that
     * run calls.
     */
    abstract void methods(Block members);

    @Override
    public String lacks(String more) {
        return batch.lacks(more);
    }

    @Override
    public void flush(Block block) {
        BatchCode.flush(block);
    }

    @Override
    public void declare(Block method, boolean entered) {
        if (batch.isUsed()) {
            batch.declare(method, entered);
        }
    }

    @Override
    public void select(Block block) {
        if (batch.isUsed()) {
            batch.select(block);
        }
    }

    @Override
    public void deselect(Block block) {
        if (batch.isUsed()) {
            BatchCode.deselect(block);
        }
    }

    @Override
    public void leave(Block block) {
        if (batch.isUsed()) {
            BatchCode.leave(block);
        }
    }

    @Override
    public void finish(Block method) {
        if (batch.isUsed()) {
            method.line("updateAll(panes);");
        }
    }

    @Override
    public void members(Block members) {
        if (batch.isUsed()) {
            methods(members);
        }
    }
}

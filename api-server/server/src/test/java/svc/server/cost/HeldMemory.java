package svc.server.cost;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import svc.platform.memory.ByteBudget;

/**
 * What this process keeps, the client's side of the tests included.
 *
 * @param bytes of the heap behind a collection, and of buffers outside of it
 * @param counted bytes that the budget knows of
 */
record HeldMemory(long bytes, long counted) {
    static HeldMemory of(ByteBudget budget) {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long buffers = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return new HeldMemory(heap + buffers, budget.held());
    }

    /** Bytes that came since, and that the budget does not know of. */
    long uncountedSince(HeldMemory before) {
        return bytes - before.bytes - counted;
    }

    @Override
    public String toString() {
        return bytes / 1_000 + " KB, of which " + counted / 1_000 + " KB are counted";
    }
}

package svc.management.function;

import java.util.HashSet;
import java.util.Set;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionStatus;
import svc.functions.artifact.ContentHash;

/** The archives that a function references: desired, active, and available for rollback. Pure. */
final class ArchiveReferences {
    private ArchiveReferences() {}

    static Set<ContentHash> of(EdgeFunction function) {
        Set<ContentHash> all = new HashSet<>();
        if (function == null) {
            return all;
        }
        add(all, function.getSpec().contentHash());
        EdgeFunctionStatus status = function.getStatus();
        if (status != null) {
            add(all, status.hash());
            status.history().forEach(version -> add(all, version.contentHash()));
            if (status.bundle() != null) {
                add(all, status.bundle().contentHash());
            }
        }
        return all;
    }

    private static void add(Set<ContentHash> all, String hash) {
        ContentHash.parse(hash).ifPresent(all::add);
    }
}

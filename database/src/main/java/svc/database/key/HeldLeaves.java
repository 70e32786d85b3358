package svc.database.key;

import java.util.Map;
import java.util.UUID;

/** Stands for a root in a process that was given leaves of one project instead: it gives these and computes no other. */
final class HeldLeaves extends PurposeRoot {
    private final UUID projectId;
    private final Incarnation incarnation;
    private final Map<Integer, DerivedKey> byVersion;

    /** @param byVersion at least one leaf of the purpose, by its key version */
    HeldLeaves(
            Purpose purpose,
            int masterVersion,
            UUID projectId,
            Incarnation incarnation,
            Map<Integer, DerivedKey> byVersion) {
        super(purpose, masterVersion, new SecretBytes(new byte[Derivation.KEY_BYTES]));
        this.projectId = projectId;
        this.incarnation = incarnation;
        this.byVersion = Map.copyOf(byVersion);
    }

    /** @throws IllegalStateException for another project, or a version that was not given */
    @Override
    public DerivedKey leaf(ProjectKeyScope scope) {
        DerivedKey leaf = byVersion.get(scope.keyVersion());
        if (leaf == null
                || !scope.projectId().equals(projectId)
                || !scope.incarnation().equals(incarnation)) {
            throw new IllegalStateException("this process holds no such leaf of " + purpose());
        }
        return leaf;
    }

    @Override
    public DerivedKey platformLeaf(int keyVersion) {
        throw new IllegalStateException("this process holds no leaf of the platform");
    }

    @Override
    public String export() {
        throw new IllegalStateException("this process holds no root of " + purpose());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HeldLeaves that
                && purpose() == that.purpose()
                && masterVersion() == that.masterVersion()
                && projectId.equals(that.projectId)
                && incarnation.equals(that.incarnation)
                && byVersion.equals(that.byVersion);
    }

    @Override
    public int hashCode() {
        return 31 * purpose().hashCode() + projectId.hashCode();
    }

    @Override
    public String toString() {
        return "HeldLeaves[" + purpose() + ", project " + projectId + "]";
    }
}

package svc.operator.function.status;

import java.util.Optional;
import svc.crds.function.BundleStatus;
import svc.crds.function.EdgeFunction;
import svc.crds.function.SourceHash;

/** Whether the code of a spec is bundled. Pure. */
public sealed interface BundleState {
    /** @param contentHash of the stored code */
    record Bundled(String contentHash) implements BundleState {}

    /** The control plane has not bundled the source yet. */
    record Pending() implements BundleState {}

    /** @param message with file, line and column */
    record Unusable(String message) implements BundleState {}

    /** From the content hash of the spec, or from the bundle status for the current source. */
    static BundleState of(EdgeFunction function) {
        if (function.getSpec().contentHash() != null) {
            return new Bundled(function.getSpec().contentHash());
        }
        BundleStatus bundle =
                function.getStatus() == null ? null : function.getStatus().bundle();
        if (bundle == null || !bundle.isOf(SourceHash.of(function.getSpec()))) {
            return new Pending();
        }
        return bundle.bundled()
                .<BundleState>map(Bundled::new)
                .orElseGet(() ->
                        new Unusable(bundle.message() == null ? "The source cannot be bundled." : bundle.message()));
    }

    /** The hash of the bundled code; empty until it is bundled. */
    default Optional<String> code() {
        return this instanceof Bundled bundled ? Optional.of(bundled.contentHash()) : Optional.empty();
    }
}

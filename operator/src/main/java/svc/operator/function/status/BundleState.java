package svc.operator.function.status;

import java.util.Optional;
import svc.crds.function.BundleStatus;
import svc.crds.function.EdgeFunction;
import svc.crds.function.SourceHash;

/** Whether the code that a spec asks for is there. Pure. */
public sealed interface BundleState {
    /** @param contentHash of the stored code */
    record Bundled(String contentHash) implements BundleState {}

    /** Nobody has bundled the source yet. */
    record Pending() implements BundleState {}

    /** @param message with file, line and column */
    record Unusable(String message) implements BundleState {}

    /** The spec's own hash, or what the control plane's bundler says of this very source. */
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

    /** The hash of the code; empty while there is none. */
    default Optional<String> code() {
        return this instanceof Bundled bundled ? Optional.of(bundled.contentHash()) : Optional.empty();
    }
}

package svc.management.function;

import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.function.EdgeFunctionStatus;

/** A function's state, in the enumeration of Supabase's Management API where it has a value. */
public enum FunctionState {
    /** The code that was last deployed is active, or starts with the next call. */
    ACTIVE,
    /** It is being rolled out; an earlier version, if any, is active until then. */
    COMING_UP,
    /**
     * The code that was last deployed cannot be rolled out; the conditions give the reason. An earlier version may be
     * active.
     */
    FAILED,
    REMOVED;

    /** Pure. */
    static FunctionState of(EdgeFunction function) {
        if (function.isMarkedForDeletion()) {
            return REMOVED;
        }
        if (function.isFailed()) {
            return FAILED;
        }
        return function.isReady() && serves(function) ? ACTIVE : COMING_UP;
    }

    private static boolean serves(EdgeFunction function) {
        EdgeFunctionStatus status = function.getStatus();
        String wanted = wanted(function.getSpec(), status);
        return wanted != null && wanted.equals(status.hash());
    }

    /** The content hash in the spec; null while a manifest is not bundled. */
    static String wanted(EdgeFunctionSpec spec, EdgeFunctionStatus status) {
        if (spec.contentHash() != null) {
            return spec.contentHash();
        }
        return status == null || status.bundle() == null
                ? null
                : status.bundle().contentHash();
    }
}

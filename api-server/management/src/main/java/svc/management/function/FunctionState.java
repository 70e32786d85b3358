package svc.management.function;

import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.function.EdgeFunctionStatus;

/** A function's state; the words of Supabase's Management API as far as they go. */
public enum FunctionState {
    /** The code that was last deployed serves, or is started by the next call. */
    ACTIVE,
    /** It is being rolled out; an earlier version serves until then, if there was one. */
    COMING_UP,
    /** The code that was last deployed cannot be rolled out; the conditions say why. An earlier version may serve. */
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

    /** The hash of the code that the resource asks for; null while a manifest is not bundled. */
    static String wanted(EdgeFunctionSpec spec, EdgeFunctionStatus status) {
        if (spec.contentHash() != null) {
            return spec.contentHash();
        }
        return status == null || status.bundle() == null
                ? null
                : status.bundle().contentHash();
    }
}

package svc.management.function;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import svc.crds.function.EdgeFunction;
import svc.functions.artifact.ContentHash;

/**
 * A function by what it is: two resources with one key are one function to its callers.
 *
 * @param project name of the Project resource
 */
record FunctionId(String namespace, String project, String function) {
    private static final int STEM = 24;
    private static final int DIGITS = 10;

    static FunctionId of(EdgeFunction function) {
        return new FunctionId(
                function.getMetadata().getNamespace(),
                function.getSpec().projectRef().name(),
                function.getSpec().name());
    }

    /** No part can hold a slash. */
    String text() {
        return namespace + "/" + project + "/" + function;
    }

    /**
     * What this API calls its resources: readable, and different for names that differ in case only, which Kubernetes'
     * names cannot.
     *
     * @param what text that tells this resource from others of the ref
     */
    static String resourceName(String ref, String what) {
        String stem = what.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        stem = stem.substring(0, Math.min(stem.length(), STEM)).replaceAll("^-+|-+$", "");
        String digits =
                ContentHash.of(what.getBytes(StandardCharsets.UTF_8)).hex().substring(0, DIGITS);
        return ref + "-" + (stem.isEmpty() ? "" : stem + "-") + digits;
    }
}

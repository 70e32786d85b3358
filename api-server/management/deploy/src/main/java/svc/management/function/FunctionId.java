package svc.management.function;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import svc.crds.function.EdgeFunction;
import svc.functions.artifact.ContentHash;

/**
 * The identity of a function for its callers: two resources with the same one are the same function.
 *
 * @param project name of the Project resource
 */
record FunctionId(String namespace, String project, String function) {
    private static final Pattern OUTER_HYPHENS = Pattern.compile("^-+|-+$");
    private static final Pattern OTHERS = Pattern.compile("[^a-z0-9]+");

    private static final int STEM = 24;
    private static final int DIGITS = 10;

    static FunctionId of(EdgeFunction function) {
        return new FunctionId(
                function.getMetadata().getNamespace(),
                function.getSpec().projectRef().name(),
                function.getSpec().name());
    }

    /** No part can contain a slash. */
    String text() {
        return namespace + "/" + project + "/" + function;
    }

    /**
     * The resource name that this API generates: readable, and distinct for names that differ in case only, which
     * Kubernetes names cannot.
     *
     * @param what distinguishes this resource from others of the ref
     */
    static String resourceName(String ref, String what) {
        String stem = OTHERS.matcher(what.toLowerCase(Locale.ROOT)).replaceAll("-");
        stem = OUTER_HYPHENS
                .matcher(stem.substring(0, Math.min(stem.length(), STEM)))
                .replaceAll("");
        String digits =
                ContentHash.of(what.getBytes(StandardCharsets.UTF_8)).hex().substring(0, DIGITS);
        return ref + "-" + (stem.isEmpty() ? "" : stem + "-") + digits;
    }
}

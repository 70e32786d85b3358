package svc.crds.function;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Names of the Kubernetes objects of a function: the Deployment, the Service and its EndpointSlices, the NetworkPolicy.
 * Derived from the EdgeFunction's own name, which is unique in its namespace; the name that callers use ({@code spec.name})
 * may contain characters that Kubernetes does not allow. The operator creates the objects, the gateway looks them up.
 */
public final class FunctionObject {
    private static final String PREFIX = "fn-";

    /** A Service name is a DNS label of at most 63 characters; pods need room for the suffix of their controller. */
    private static final int MAX_NAME_CHARS = 52;

    private static final int STEM = 40;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    private FunctionObject() {}

    /**
     * {@code fn-<resource>}; for a name that is too long or has dots, a part of it and eight digits of its hash.
     *
     * @param resource {@code metadata.name} of the EdgeFunction
     */
    public static String name(String resource) {
        if (resource.length() + PREFIX.length() <= MAX_NAME_CHARS
                && LABEL.matcher(resource).matches()) {
            return PREFIX + resource;
        }
        String stem = resource.substring(0, Math.min(resource.length(), STEM)).replace('.', '-');
        return PREFIX + stem + "-" + hash(resource).substring(0, 8);
    }

    /** The Secret with the function's environment. */
    public static String environment(String resource) {
        return name(resource) + "-env";
    }

    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

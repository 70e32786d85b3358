package svc.embedded.kubernetes.write;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.type.ResourceType;

/** What objects may be called, and names made up for those that ask for one (RFC 1123 as Kubernetes applies it). */
final class ObjectNames {
    private static final Pattern SUBDOMAIN = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern PATH_SEGMENT = Pattern.compile("(?!\\.{1,2}$)[^/%]+");
    // Without vowels and without characters that look alike, so that no name says anything.
    private static final String SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX = 5;
    private static final int MAX_BASE_LENGTH = 63 - SUFFIX;
    private static final SecureRandom RANDOM = new SecureRandom();

    private ObjectNames() {}

    static Optional<ApiFailure.Cause> fault(ResourceType type, String name) {
        if (name.isEmpty()) {
            return Optional.of(new ApiFailure.Cause(
                    "FieldValueRequired", "Required value: name or generateName is required", "metadata.name"));
        }
        boolean fits = type.group().startsWith("rbac.")
                ? PATH_SEGMENT.matcher(name).matches()
                : type.names().plural().equals("namespaces")
                        ? name.length() <= 63 && LABEL.matcher(name).matches()
                        : name.length() <= 253 && SUBDOMAIN.matcher(name).matches();
        return fits
                ? Optional.empty()
                : Optional.of(new ApiFailure.Cause(
                        "FieldValueInvalid",
                        "Invalid value: \"%s\": must consist of lower case alphanumeric characters, '-' or '.', and"
                                        .formatted(name)
                                + " must start and end with an alphanumeric character",
                        "metadata.name"));
    }

    static void check(ResourceType type, String name) {
        fault(type, name).ifPresent(fault -> {
            throw ApiFailure.invalid(type.subject(name), List.of(fault));
        });
    }

    /** A name that begins like {@code base}. */
    static String generate(String base) {
        StringBuilder name = new StringBuilder(base.substring(0, Math.min(base.length(), MAX_BASE_LENGTH)));
        for (int i = 0; i < SUFFIX; i++) {
            name.append(SUFFIX_ALPHABET.charAt(RANDOM.nextInt(SUFFIX_ALPHABET.length())));
        }
        return name.toString();
    }
}

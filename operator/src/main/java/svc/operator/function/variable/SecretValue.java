package svc.operator.function.variable;

import io.fabric8.kubernetes.api.model.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import svc.crds.secret.FunctionSecret;
import svc.operator.kubernetes.Labels;

/** The value that a FunctionSecret refers to. Pure. */
public sealed interface SecretValue {
    /** Secrets with this {@link Labels#PURPOSE} are watched: their changes apply immediately. */
    String PURPOSE = "function-secret";

    /** Near the operating system's limit for one variable. */
    int MAX_BYTES = 48 * 1024;

    /** The value. */
    record Found(String text) implements SecretValue {
        /** Omits the value. */
        @Override
        public String toString() {
            return "Found[]";
        }
    }

    /** No usable value, with a reason of {@link SecretReasons}. */
    record Absent(String reason, String message) implements SecretValue {}

    /**
     * @param ref of the function's project
     * @param secret that the reference names, in the FunctionSecret's own namespace; empty when there is none
     */
    static SecretValue of(FunctionSecret wanted, String ref, Optional<Secret> secret) {
        String key = wanted.getSpec().key();
        if (RESERVED.matcher(key).find()) {
            return new Absent(SecretReasons.RESERVED_NAME, key + " is set by the platform: choose another name.");
        }
        String name = wanted.getSpec().valueFrom().secretKeyRef().name();
        String inSecret = wanted.getSpec().valueFrom().secretKeyRef().key();
        if (secret.isEmpty()) {
            return new Absent(
                    SecretReasons.SECRET_MISSING,
                    "The Secret " + name + " does not exist: create it in this namespace with the key " + inSecret
                            + ".");
        }
        if (!isAllowed(secret.get(), ref)) {
            return new Absent(
                    SecretReasons.SECRET_NOT_ALLOWED,
                    "The Secret " + name + " belongs to the platform or to another project: name another Secret.");
        }
        Map<String, String> data = secret.get().getData();
        String base64 = data == null ? null : data.get(inSecret);
        if (base64 == null) {
            return new Absent(
                    SecretReasons.KEY_MISSING, "The Secret " + name + " has no key " + inSecret + ": add it.");
        }
        return decoded(name, inSecret, base64);
    }

    /**
     * Refuses Secrets that the platform created: they hold keys of projects, and several projects may share a namespace.
     */
    private static boolean isAllowed(Secret secret, String ref) {
        Map<String, String> labels = secret.getMetadata().getLabels();
        if (labels == null) {
            return true;
        }
        String of = labels.get(Labels.REF);
        return !Labels.OPERATOR.equals(labels.get(Labels.MANAGED_BY)) && (of == null || of.equals(ref));
    }

    private static SecretValue decoded(String name, String key, String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (bytes.length <= MAX_BYTES && text.indexOf('\0') < 0) {
                return new Found(text);
            }
        } catch (CharacterCodingException | IllegalArgumentException e) {
            // The message below must not reveal which bytes are invalid.
        }
        return new Absent(
                SecretReasons.VALUE_INVALID,
                "The key " + key + " of the Secret " + name + " is not UTF-8 text of at most " + MAX_BYTES
                        + " bytes without zero bytes: correct it.");
    }

    /** Repeats the rule of the CRD, for clusters with an older definition. */
    Pattern RESERVED = Pattern.compile("^(SVC|SUPABASE|DENO|LD)_");
}

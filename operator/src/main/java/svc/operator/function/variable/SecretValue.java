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

/** What a FunctionSecret's reference leads to. Pure. */
public sealed interface SecretValue {
    /** Secrets with this {@link Labels#PURPOSE} are watched: a change of theirs is seen at once. */
    String PURPOSE = "function-secret";

    /** In bytes; a process' environment cannot hold much more in one variable. */
    int MAX_BYTES = 48 * 1024;

    /** The value. */
    record Found(String text) implements SecretValue {
        /** Without the value. */
        @Override
        public String toString() {
            return "Found[]";
        }
    }

    /** There is none, for a reason of {@link SecretReasons}. */
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
                    "The Secret " + name + " is the platform's or another project's: name one of your own.");
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
     * What the platform made holds keys of projects, and several projects may share a namespace: a reference is not to be a
     * way to them.
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
            // Told below: which bytes are wrong is nobody's to read.
        }
        return new Absent(
                SecretReasons.VALUE_INVALID,
                "The key " + key + " of the Secret " + name + " is not UTF-8 text of at most " + MAX_BYTES
                        + " bytes without zero bytes.");
    }

    /** As the kind's own rules have it, for a cluster whose definitions are older than this operator. */
    Pattern RESERVED = Pattern.compile("^(SVC|SUPABASE|DENO|LD)_");
}

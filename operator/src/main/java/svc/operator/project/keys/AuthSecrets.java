package svc.operator.project.keys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import svc.crds.project.ActiveSecret;
import svc.crds.project.Project;
import svc.crds.reference.SecretKeyReference;
import svc.database.key.DerivedKey;
import svc.database.key.SealedText;

/** Seals the values of the Secrets that {@code spec.auth} and the webhooks of {@code spec.storage} name, for the project's status. */
public final class AuthSecrets {
    private static final int MAX_BYTES = 16_384;

    /** Of all values of a project, sealed: its status is one object of the API, and every plane keeps it in memory. */
    static final int MAX_SEALED_CHARS = 262_144;

    private final SecretValues secrets;

    public AuthSecrets(SecretValues secrets) {
        this.secrets = secrets;
    }

    /**
     * @param values the sealed values; a missing Secret keeps its earlier value, so that its absence breaks nothing
     * @param missing message for the condition when a value is missing: says what to do
     */
    public record Found(List<ActiveSecret> values, Optional<String> missing) {
        public Found {
            values = List.copyOf(values);
        }
    }

    /** @param leaf the project's sealing key */
    public Found read(Project project, DerivedKey leaf) {
        List<ActiveSecret> values = new ArrayList<>();
        Optional<String> missing = Optional.empty();
        int room = MAX_SEALED_CHARS;
        for (SecretKeyReference reference : references(project)) {
            Optional<String> text = secrets.find(project.getMetadata().getNamespace(), reference)
                    .map(String::strip);
            Optional<String> fault = fault(reference, text);
            if (fault.isPresent()) {
                missing = missing.or(() -> fault);
            }
            Optional<ActiveSecret> value = fault.isPresent()
                    ? before(project, reference)
                    : Optional.of(sealed(reference, leaf, text.orElseThrow()));
            int length = value.map(secret -> secret.sealed().length()).orElse(0);
            if (length > room) {
                missing = missing.or(() -> Optional.of(where(reference)
                        + "makes the values of all Secrets that the spec names longer than " + MAX_SEALED_CHARS
                        + " characters when encrypted: shorten them."));
            } else {
                value.ifPresent(values::add);
                room -= length;
            }
        }
        return new Found(values, missing);
    }

    private static ActiveSecret sealed(SecretKeyReference reference, DerivedKey leaf, String text) {
        return new ActiveSecret(
                reference.name(), reference.key(), SealedText.seal(leaf, SealedText.Use.AUTH_SECRET, text));
    }

    private static String where(SecretKeyReference reference) {
        return "The key " + reference.key() + " of the Secret " + reference.name() + ", which the spec names, ";
    }

    private static List<SecretKeyReference> references(Project project) {
        return Stream.concat(
                        project.getSpec().auth().secretReferences().stream(),
                        project.getSpec().storage().secretReferences().stream())
                .distinct()
                .toList();
    }

    private static Optional<ActiveSecret> before(Project project, SecretKeyReference reference) {
        return Optional.ofNullable(project.getStatus()).map(status -> status.authSecrets()).stream()
                .flatMap(List::stream)
                .filter(value -> value.isOf(reference))
                .findFirst();
    }

    private static Optional<String> fault(SecretKeyReference reference, Optional<String> text) {
        String where = where(reference);
        if (text.isEmpty()) {
            return Optional.of(where + "does not exist: create it in this namespace.");
        }
        if (text.get().isEmpty()) {
            return Optional.of(where + "is empty: set a value.");
        }
        return text.get().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES
                ? Optional.of(where + "is longer than " + MAX_BYTES + " bytes: shorten it.")
                : Optional.empty();
    }
}

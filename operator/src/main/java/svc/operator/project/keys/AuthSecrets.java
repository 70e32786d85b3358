package svc.operator.project.keys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.crds.project.ActiveSecret;
import svc.crds.project.Project;
import svc.crds.reference.SecretKeyReference;
import svc.database.key.KeyLeaf;
import svc.database.key.SealedText;

/** Brings the values of the Secrets that {@code spec.auth} names into a form that the project's status may carry. */
public final class AuthSecrets {
    private static final int MAX_BYTES = 16_384;

    private final SecretValues secrets;

    public AuthSecrets(SecretValues secrets) {
        this.secrets = secrets;
    }

    /**
     * @param values all that are there; for one that is gone, the value of before, so that a Secret's absence does not stop
     *     what worked
     * @param missing for the condition, where one is not there: names what to do
     */
    public record Found(List<ActiveSecret> values, Optional<String> missing) {
        public Found {
            values = List.copyOf(values);
        }
    }

    /** @param leaf of the project, for {@link SealedText} */
    public Found read(Project project, KeyLeaf leaf) {
        List<ActiveSecret> values = new ArrayList<>();
        Optional<String> missing = Optional.empty();
        for (SecretKeyReference reference : project.getSpec().auth().secretReferences()) {
            Optional<String> text = secrets.find(project.getMetadata().getNamespace(), reference)
                    .map(String::strip);
            Optional<String> fault = fault(reference, text);
            if (fault.isPresent()) {
                missing = missing.or(() -> fault);
                before(project, reference).ifPresent(values::add);
            } else {
                values.add(new ActiveSecret(
                        reference.name(),
                        reference.key(),
                        SealedText.seal(leaf, SealedText.Use.AUTH_SECRET, text.orElseThrow())));
            }
        }
        return new Found(values, missing);
    }

    private static Optional<ActiveSecret> before(Project project, SecretKeyReference reference) {
        return Optional.ofNullable(project.getStatus()).map(status -> status.authSecrets()).stream()
                .flatMap(List::stream)
                .filter(value -> value.isOf(reference))
                .findFirst();
    }

    private static Optional<String> fault(SecretKeyReference reference, Optional<String> text) {
        String where =
                "The key " + reference.key() + " of the Secret " + reference.name() + ", which spec.auth names, ";
        if (text.isEmpty()) {
            return Optional.of(where + "does not exist: create it in this namespace.");
        }
        if (text.get().isEmpty()) {
            return Optional.of(where + "is empty: put the value in.");
        }
        return text.get().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES
                ? Optional.of(where + "is longer than " + MAX_BYTES + " bytes.")
                : Optional.empty();
    }
}

package svc.operator.project.keys;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.crds.project.ActiveVerifyKey;
import svc.crds.project.Project;
import svc.crds.project.auth.VerifyKey;
import svc.crds.project.auth.VerifyKeySet;
import svc.crds.project.auth.VerifyKeyType;
import svc.database.key.DerivedKey;
import svc.database.key.SealedText;

/** Seals the keys of {@code spec.auth.jwt.verifyKeys} from the project's Secrets, for its status. */
public final class VerifyKeys {
    /** RFC 7518 §3.2: an HS256 key is at least as long as its hash. */
    private static final int MIN_HS256_BYTES = 32;

    private static final int MAX_BYTES = 32_768;

    private final SecretValues secrets;

    public VerifyKeys(SecretValues secrets) {
        this.secrets = secrets;
    }

    /** All keys, or the error of the first unusable one. */
    public sealed interface Found {
        record Keys(List<ActiveVerifyKey> keys) implements Found {
            public Keys {
                keys = List.copyOf(keys);
            }
        }

        /** @param message for the condition: says what to do */
        record Missing(String message) implements Found {}
    }

    /** @param leaf the project's sealing key */
    public Found read(Project project, DerivedKey leaf) {
        List<ActiveVerifyKey> keys = new ArrayList<>();
        for (VerifyKey wanted : project.getSpec().auth().jwt().verifyKeys()) {
            if (wanted.secretKeyRef() == null) {
                keys.add(new ActiveVerifyKey(wanted.name(), wanted.type(), wanted.url(), null));
                continue;
            }
            Optional<String> text = secrets.find(project.getMetadata().getNamespace(), wanted.secretKeyRef())
                    .map(String::strip);
            Optional<String> fault = fault(wanted, text);
            if (fault.isPresent()) {
                return new Found.Missing(fault.get());
            }
            keys.add(new ActiveVerifyKey(
                    wanted.name(),
                    wanted.type(),
                    null,
                    SealedText.seal(leaf, SealedText.Use.VERIFY_KEY, text.orElseThrow())));
        }
        return new Found.Keys(keys);
    }

    private static Optional<String> fault(VerifyKey wanted, Optional<String> text) {
        String where = "The key " + wanted.secretKeyRef().key() + " of the Secret "
                + wanted.secretKeyRef().name() + ", which spec.auth.jwt.verifyKeys names for " + wanted.name() + ", ";
        if (text.isEmpty()) {
            return Optional.of(where + "does not exist: create it in this namespace.");
        }
        int length = text.get().getBytes(StandardCharsets.UTF_8).length;
        if (wanted.type() == VerifyKeyType.HS256 && length < MIN_HS256_BYTES) {
            return Optional.of(
                    where + "is shorter than the " + MIN_HS256_BYTES + " bytes that HS256 needs: use a longer one.");
        }
        if (length > MAX_BYTES) {
            return Optional.of(where + "is longer than " + MAX_BYTES + " bytes: shorten it.");
        }
        return wanted.type() == VerifyKeyType.JWKS
                ? VerifyKeySet.fault(text.get()).map(why -> where + "cannot be used: " + why + ".")
                : Optional.empty();
    }
}

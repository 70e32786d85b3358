package svc.database.key;

import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The key of a project's vault, as a session of its logins is given it: a starting value of {@link #SETTING}. PostgreSQL keeps it in
 * the memory of that session and nowhere else; SQL of the owner can read it there.
 */
public final class VaultKey {
    /** A setting of the session; {@code RESET ALL} brings a starting value back. */
    public static final String SETTING = "svc.vault_key";

    private static final int KEY_VERSION = 1;

    private VaultKey() {}

    /**
     * {@code <master key version>:<hex>}, separated by commas, the newest first: what an older master key has sealed stays readable
     * as long as the process is given its root. A secret.
     *
     * @param roots of {@link Purpose#VAULT}, at most one of each master key
     * @param scope the project; its own key version is ignored
     * @return empty without roots
     */
    public static String of(List<PurposeRoot> roots, ProjectKeyScope scope) {
        return roots.stream()
                .sorted(Comparator.comparingInt(PurposeRoot::masterVersion).reversed())
                .map(root -> root.masterVersion() + ":"
                        + HexFormat.of()
                                .formatHex(root.leaf(scope.withKeyVersion(KEY_VERSION))
                                        .material("vault", Derivation.KEY_BYTES)))
                .collect(Collectors.joining(","));
    }
}

package svc.database.key;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The processes that work with derived secrets without a master key, and the purposes of each (DESIGN §4, rule 7). It is
 * given the roots of these and of no other: a compromised process reveals no other root.
 */
public enum KeyHolder {
    /** The Management API: projects, tokens, SQL. */
    CONTROL_PLANE(EnumSet.of(
            Purpose.OWNER, Purpose.SERVICE_KEY, Purpose.VAULT, Purpose.LOGIN_PLATFORM, Purpose.LOGIN_EXTENSIONS)),
    /** The six services of each project. It never holds the owner's root. */
    DATA_PLANE(EnumSet.of(
            Purpose.API,
            Purpose.SERVICE,
            Purpose.SYSTEM,
            Purpose.ANON_KEY,
            Purpose.SERVICE_KEY,
            Purpose.SIGNING,
            Purpose.SEALED,
            Purpose.FUNCTION_RUNTIME,
            Purpose.VAULT,
            Purpose.LOGIN_CATALOG,
            Purpose.LOGIN_REPLICATION,
            Purpose.CHANNEL)),
    /** The realtime service of one project with a database of its own; it is given leaves instead of roots. */
    REALTIME_SIDECAR(EnumSet.of(
            Purpose.API,
            Purpose.SERVICE,
            Purpose.SYSTEM,
            Purpose.ANON_KEY,
            Purpose.SERVICE_KEY,
            Purpose.SIGNING,
            Purpose.SEALED,
            Purpose.REPLICATION));

    private final Set<Purpose> purposes;

    KeyHolder(Set<Purpose> purposes) {
        this.purposes = Set.copyOf(purposes);
    }

    public Set<Purpose> purposes() {
        return purposes;
    }

    /**
     * What such a process is configured with: the roots of its purposes under each master key, as {@link
     * PurposeRoot#export()} writes them, separated by commas. The same keys give the same text.
     */
    public String roots(Collection<MasterKey> keys) {
        return keys.stream()
                .sorted((one, other) -> Integer.compare(one.version(), other.version()))
                .flatMap(key -> purposes.stream().sorted().map(key::root))
                .map(PurposeRoot::export)
                .collect(Collectors.joining(","));
    }
}

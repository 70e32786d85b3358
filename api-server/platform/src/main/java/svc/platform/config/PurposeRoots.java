package svc.platform.config;

import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import svc.database.key.MasterKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.ProjectLeaves;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;

/**
 * The roots that this process holds: for each purpose of its roles one per master key version, and of no other purpose,
 * whatever it was configured with.
 */
public final class PurposeRoots implements LoginRoots {
    private final Map<Purpose, NavigableMap<Integer, PurposeRoot>> roots;

    private PurposeRoots(Map<Purpose, NavigableMap<Integer, PurposeRoot>> roots) {
        this.roots = roots;
    }

    /** @throws IllegalArgumentException naming the setting, never its value, when one cannot be read */
    public static PurposeRoots of(Set<ServerRole> roles, ApiConfig.Keys keys) {
        Set<Purpose> wanted =
                roles.stream().flatMap(role -> role.purposes().stream()).collect(Collectors.toUnmodifiableSet());
        Map<Purpose, NavigableMap<Integer, PurposeRoot>> roots = new EnumMap<>(Purpose.class);
        keys.master().forEach((version, text) -> {
            MasterKey master = master(version, text);
            wanted.forEach(purpose -> put(roots, master.root(purpose)));
        });
        for (String text : keys.roots().orElse(List.of())) {
            PurposeRoot root = PurposeRoot.parse(text.strip())
                    .orElseThrow(
                            () -> new IllegalArgumentException("svc.api.keys.roots has an entry that is not a root"));
            if (wanted.contains(root.purpose())) {
                put(roots, root);
            }
        }
        return new PurposeRoots(roots);
    }

    /** What a process holds that serves one project: its leaves, which stand where others have roots. */
    public static PurposeRoots ofProject(ProjectLeaves leaves, ProjectKeyScope scope, int masterVersion) {
        Set<Purpose> wanted = ServerRole.REALTIME_SIDECAR.purposes();
        Map<Purpose, NavigableMap<Integer, PurposeRoot>> roots = new EnumMap<>(Purpose.class);
        leaves.roots(scope, masterVersion).stream()
                .filter(root -> wanted.contains(root.purpose()))
                .forEach(root -> put(roots, root));
        return new PurposeRoots(roots);
    }

    private static MasterKey master(int version, String text) {
        try {
            return MasterKey.of(version, Base64.getDecoder().decode(text.strip()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("svc.api.keys.master." + version + " is not base64 of 32 bytes or more");
        }
    }

    private static void put(Map<Purpose, NavigableMap<Integer, PurposeRoot>> roots, PurposeRoot root) {
        roots.computeIfAbsent(root.purpose(), purpose -> new TreeMap<>()).put(root.masterVersion(), root);
    }

    /** The root of one purpose under one master key; empty when this process was not given it. */
    public Optional<PurposeRoot> find(Purpose purpose, int masterVersion) {
        return Optional.ofNullable(roots.get(purpose)).map(byVersion -> byVersion.get(masterVersion));
    }

    /** The root under the newest master key, for secrets of the platform; empty when this process was not given it. */
    public Optional<PurposeRoot> newest(Purpose purpose) {
        return Optional.ofNullable(roots.get(purpose))
                .map(byVersion -> byVersion.lastEntry().getValue());
    }

    @Override
    public List<PurposeRoot> all(Purpose purpose) {
        NavigableMap<Integer, PurposeRoot> byVersion = roots.get(purpose);
        return byVersion == null ? List.of() : List.copyOf(byVersion.values());
    }

    /** @throws IllegalStateException when this process was not given the root: a fault of its configuration */
    @Override
    public PurposeRoot require(Purpose purpose, int masterVersion) {
        return find(purpose, masterVersion)
                .orElseThrow(() -> new IllegalStateException("this process holds no root of " + purpose
                        + " under master key " + masterVersion + "; see svc.api.keys"));
    }

    /** The purposes of which at least one root is held. */
    public Set<Purpose> purposes() {
        return Set.copyOf(roots.keySet());
    }

    @Override
    public String toString() {
        return "PurposeRoots" + roots.keySet();
    }
}

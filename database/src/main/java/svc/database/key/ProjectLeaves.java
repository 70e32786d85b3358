package svc.database.key;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The leaves of one project that a process works with instead of roots (DESIGN §4, rule 7). {@link #export()} is their form
 * for a Kubernetes Secret.
 *
 * @param leaves by purpose and key version
 */
public record ProjectLeaves(Map<Purpose, Map<Integer, DerivedKey>> leaves) {
    private static final String ITEM = ",";
    private static final String VERSION = ":";

    public ProjectLeaves {
        Map<Purpose, Map<Integer, DerivedKey>> copy = new EnumMap<>(Purpose.class);
        leaves.forEach((purpose, byVersion) -> copy.put(purpose, Map.copyOf(byVersion)));
        leaves = Map.copyOf(copy);
    }

    /**
     * Derives them.
     *
     * @param scope the project; its own key version is ignored
     * @param versions of each purpose that the holder needs, at least one
     */
    public static ProjectLeaves of(MasterKey master, ProjectKeyScope scope, Map<Purpose, Set<Integer>> versions) {
        Map<Purpose, Map<Integer, DerivedKey>> leaves = new EnumMap<>(Purpose.class);
        versions.forEach((purpose, wanted) -> {
            PurposeRoot root = master.root(purpose);
            Map<Integer, DerivedKey> byVersion = new HashMap<>();
            wanted.forEach(version -> byVersion.put(version, root.leaf(scope.withKeyVersion(version))));
            leaves.put(purpose, byVersion);
        });
        return new ProjectLeaves(leaves);
    }

    /** Reads {@link #export()}; empty for anything else. */
    public static Optional<ProjectLeaves> parse(String text) {
        Map<Purpose, Map<Integer, DerivedKey>> leaves = new EnumMap<>(Purpose.class);
        for (String item : text.strip().split(ITEM, -1)) {
            String[] parts = item.split(VERSION, 2);
            Optional<DerivedKey> leaf = parts.length == 2 && parts[0].matches("[1-9][0-9]{0,8}")
                    ? DerivedKey.parse(parts[1])
                    : Optional.empty();
            if (leaf.isEmpty()) {
                return Optional.empty();
            }
            leaves.computeIfAbsent(leaf.get().purpose(), purpose -> new HashMap<>())
                    .put(Integer.valueOf(parts[0]), leaf.get());
        }
        return Optional.of(new ProjectLeaves(leaves));
    }

    /** {@code <key version>:svc_leaf_…}, separated by commas; the same leaves give the same text. A secret. */
    public String export() {
        List<String> items = new ArrayList<>();
        leaves.keySet().stream()
                .sorted()
                .forEach(purpose -> leaves.get(purpose).keySet().stream()
                        .sorted()
                        .forEach(version -> items.add(version
                                + VERSION
                                + leaves.get(purpose).get(version).export())));
        return String.join(ITEM, items);
    }

    /** What stands for the roots of these purposes in the process that holds the leaves. */
    public List<PurposeRoot> roots(ProjectKeyScope scope, int masterVersion) {
        List<PurposeRoot> roots = new ArrayList<>();
        leaves.forEach((purpose, byVersion) ->
                roots.add(new HeldLeaves(purpose, masterVersion, scope.projectId(), scope.incarnation(), byVersion)));
        return roots;
    }

    /** Without the leaves. */
    @Override
    public String toString() {
        return "ProjectLeaves" + leaves.keySet();
    }
}

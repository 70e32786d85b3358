package svc.embedded.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Control groups that cap memory, processor time and threads of each pod, of version 1 or 2, where permitted.
 * Elsewhere {@link MemoryWatch} limits the memory.
 */
final class ControlGroups {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_MICROS = 100_000;
    private static final int MAX_THREADS = 256;

    /** The groups of this platform, one folder for each hierarchy; none where there are no groups. */
    private final List<Path> homes;

    private final boolean second;

    private ControlGroups(List<Path> homes, boolean second) {
        this.homes = homes;
        this.second = second;
    }

    /**
     * Detects what is permitted, and removes the groups of an earlier run.
     *
     * @param name of this platform, unlike that of any other on the machine
     */
    static ControlGroups detect(String name) {
        boolean second = Files.exists(ROOT.resolve("cgroup.controllers"));
        List<Path> homes = second
                ? List.of(ROOT.resolve(name))
                : Stream.of("memory", "cpu", "pids")
                        .map(controller -> ROOT.resolve(controller).resolve(name))
                        .toList();
        var found = new ControlGroups(homes, second);
        try {
            if (second) {
                Files.writeString(ROOT.resolve("cgroup.subtree_control"), "+memory +cpu +pids");
            }
            for (Path home : homes) {
                found.sweep(home);
                Files.createDirectories(home);
            }
            if (second) {
                Files.writeString(homes.getFirst().resolve("cgroup.subtree_control"), "+memory +cpu +pids");
            }
            found.remove(found.create("probe", 64L << 20, 100));
            return found;
        } catch (IOException | RuntimeException e) {
            found.close();
            return new ControlGroups(List.of(), second);
        }
    }

    boolean available() {
        return !homes.isEmpty();
    }

    /** Makes the groups of one pod; its processes join by writing their id to each of the files that are returned. */
    List<Path> create(String pod, long memoryBytes, long cpuMillis) throws IOException {
        List<Path> joins = new ArrayList<>();
        for (Path home : homes) {
            Path group = home.resolve(pod);
            Files.createDirectories(group);
            for (var limit : limits(memoryBytes, cpuMillis).entrySet()) {
                Path file = group.resolve(limit.getKey());
                if (Files.exists(file)) {
                    Files.writeString(file, limit.getValue());
                }
            }
            joins.add(group.resolve("cgroup.procs"));
        }
        return joins;
    }

    /** Removes groups whose processes have ended. */
    void remove(List<Path> joins) {
        for (Path join : joins) {
            // Only an empty group can be removed; the next start removes the others.
            join.getParent().toFile().delete();
        }
    }

    /** Removes everything of this platform. */
    void close() {
        homes.forEach(this::sweep);
    }

    private Map<String, String> limits(long memoryBytes, long cpuMillis) {
        String quota = Long.toString(Math.max(1_000, PERIOD_MICROS * cpuMillis / 1_000));
        Map<String, String> limits = new LinkedHashMap<>();
        if (second) {
            limits.put("memory.max", Long.toString(memoryBytes));
            limits.put("memory.swap.max", "0");
            limits.put("cpu.max", quota + " " + PERIOD_MICROS);
        } else {
            limits.put("memory.limit_in_bytes", Long.toString(memoryBytes));
            limits.put("memory.memsw.limit_in_bytes", Long.toString(memoryBytes));
            limits.put("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
            limits.put("cpu.cfs_quota_us", quota);
        }
        limits.put("pids.max", Integer.toString(MAX_THREADS));
        return limits;
    }

    private void sweep(Path home) {
        if (!Files.isDirectory(home)) {
            return;
        }
        try (Stream<Path> groups = Files.list(home)) {
            groups.filter(Files::isDirectory).forEach(group -> group.toFile().delete());
        } catch (IOException e) {
            // An empty group left behind is harmless.
            return;
        }
        home.toFile().delete();
    }
}

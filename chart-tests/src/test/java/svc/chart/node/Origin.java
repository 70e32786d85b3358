package svc.chart.node;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where connections begin: the network of a pod, with the pod's address, or this machine's. The program that connects is the
 * test's own, because the images of the platform have none.
 *
 * @param command what enters the network; empty for this machine
 */
record Origin(List<String> command) {
    private static final String OPEN = "open";

    static Origin thisMachine() {
        return new Origin(List.of());
    }

    /** @throws IllegalStateException if no process of the pod runs on this machine */
    static Origin in(Pod pod) throws IOException {
        return new Origin(List.of("nsenter", "--net=" + process(pod).resolve("ns/net")));
    }

    /** Those of the targets that accept a connection from here. @param targets address and port by name */
    List<String> reached(Map<String, String> targets) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of(NodeMachine.NETWORK_PROGRAM, "connect"));
        words.addAll(targets.values());
        Map<String, String> results = Arrays.stream(run(words).split("\n"))
                .map(line -> line.split(" ", 2))
                .collect(Collectors.toMap(line -> line[0], line -> line[1], (one, same) -> one));
        return targets.keySet().stream()
                .filter(name -> OPEN.equals(results.get(targets.get(name))))
                .toList();
    }

    private static String run(List<String> words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(words + ": " + output);
        }
        return output;
    }

    /** Any process of the pod: all are in its one network. */
    private static Path process(Pod pod) throws IOException {
        String group = "pod" + pod.getMetadata().getUid();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process ->
                            Character.isDigit(process.getFileName().toString().charAt(0)))
                    .filter(process -> isIn(group, process))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "no process of the pod runs: " + pod.getMetadata().getName()));
        }
    }

    private static boolean isIn(String group, Path process) {
        try {
            return Files.readAllLines(process.resolve("cgroup")).stream().anyMatch(line -> line.contains(group));
        } catch (IOException e) {
            // It has ended meanwhile.
            return false;
        }
    }
}

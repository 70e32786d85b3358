package svc.chart.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real kubectl, as a cluster's admin uses it. */
public record Kubectl(Path kubeconfig) {
    /** What it prints. @throws AssertionError with that, when it fails */
    public String run(String input, String... arguments) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of(System.getenv().getOrDefault("SVC_KUBECTL", "kubectl")));
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        Process process = builder.start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(words + ": " + output);
        }
        return output;
    }
}

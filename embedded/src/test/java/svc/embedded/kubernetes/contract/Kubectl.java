package svc.embedded.kubernetes.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The kubectl on the PATH, or the one that {@code SVC_KUBECTL} names, in the namespace of a test. */
final class Kubectl {
    private final Path home;
    private final Path kubeconfig;
    private final String program;
    private final String namespace;

    /** Exit code and output of a run. */
    record Output(int code, String out, String err) {}

    Kubectl(ContractApi api, String namespace, Path home) throws IOException {
        this.home = home;
        this.kubeconfig = api.credentials().write(home.resolve("kubeconfig"));
        this.namespace = namespace;
        this.program = System.getenv().getOrDefault("SVC_KUBECTL", "kubectl");
    }

    /** Runs to the end and expects success. */
    String run(String... arguments) throws IOException, InterruptedException {
        Output output = attempt(arguments);
        if (output.code() != 0) {
            throw new AssertionError(
                    "kubectl %s ended with %d: %s".formatted(List.of(arguments), output.code(), output.err()));
        }
        return output.out();
    }

    /** Runs to the end, however it ends. */
    Output attempt(String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(home, "out", "");
        Path err = Files.createTempFile(home, "err", "");
        Process process = start(out, err, arguments);
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("kubectl %s did not end: %s".formatted(List.of(arguments), Files.readString(out)));
        }
        return new Output(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Starts a run that goes on, its output into a file. */
    Process start(Path out, Path err, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
        // A later --namespace of the arguments wins.
        command.addAll(List.of("--namespace", namespace));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("HOME", home.toString());
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new AssertionError(
                    "these tests need kubectl: install it (Debian: kubernetes-client) or name it in SVC_KUBECTL", e);
        }
    }

    /** A file for {@code -f}. */
    Path file(String name, String yaml) throws IOException {
        return Files.writeString(home.resolve(name), yaml, StandardCharsets.UTF_8);
    }
}

package svc.chart.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The chart in this repository, rendered by Helm itself. */
public final class Chart {
    public static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    public static final Path FOLDER = REPOSITORY.resolve("helm/svc");
    public static final String RELEASE = "svc";
    public static final String NAMESPACE = "svc-system";

    private static final String KUBERNETES = "1.33.0";

    private Chart() {}

    /** The committed value sets. */
    public static List<Path> valueSets() {
        try (Stream<Path> files = Files.list(FOLDER.resolve("ci"))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Path valueSet(String name) {
        return FOLDER.resolve("ci").resolve(name + "-values.yaml");
    }

    /** @throws IllegalStateException with Helm's message when the values are refused */
    public static String text(Path values) {
        return text(FOLDER, values);
    }

    public static String text(Path chart, Path values) {
        return render(chart, values, command -> {});
    }

    public static Rendering render(Path values) {
        return Rendering.of(text(values));
    }

    /** With one more setting, as by {@code --set}. */
    public static String with(Path values, String key, Object value) {
        return render(FOLDER, values, command -> command.set(key, value));
    }

    /** With these values alone, as a file would have them. */
    public static String text(JsonNode values) {
        return withFile(values, file -> text(FOLDER, file));
    }

    /** A rendering without the marks by which Helm knows its objects, and which nothing else reads. */
    public static String withoutHelm(String rendered) {
        return rendered.replaceAll("(?m)^ +(helm\\.sh/chart|app\\.kubernetes\\.io/managed-by): .*\n", "")
                .replaceAll("(?m)^ +annotations:\n +helm\\.sh/resource-policy: keep\n", "")
                .replaceAll("(?m)^# Source: .*\n", "");
    }

    private static String render(Path chart, Path values, Consumer<TemplateCommand> more) {
        TemplateCommand command = new Helm(chart)
                .template()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeVersion(KUBERNETES)
                .withValuesFile(values);
        more.accept(command);
        return command.call();
    }

    /** The strictest lint of the chart as it is with these values. Helm's library lints defaults only: so they become these. */
    public static LintResult lint(Path values, Path scratch) {
        try {
            Path copy = scratch.resolve("svc");
            copy(FOLDER, copy);
            ObjectNode merged = Yaml.merged(Yaml.read(FOLDER.resolve("values.yaml")), Yaml.read(values));
            Files.writeString(copy.resolve("values.yaml"), Yaml.write(merged));
            return new Helm(copy).lint().strict().call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As if the schema allowed everything: for what templates make of values that it refuses. */
    public static String withoutSchema(JsonNode values, Path scratch) {
        try {
            Path copy = Files.createDirectories(scratch).resolve("svc");
            copy(FOLDER, copy);
            Files.delete(copy.resolve("values.schema.json"));
            return withFile(values, file -> text(copy, file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With the hooks as plain objects: Helm keeps hooks apart from what it renders. */
    public static Rendering withHooks(Path values, Path scratch) {
        try {
            Path copy = scratch.resolve("svc");
            copy(FOLDER, copy);
            Path hook = copy.resolve("templates/tests/platform-answers.yaml");
            Files.writeString(hook, Files.readString(hook).replace("\"helm.sh/hook\" \"test\"", ""));
            return Rendering.of(text(copy, values));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private interface WithFile {
        String apply(Path file);
    }

    private static String withFile(JsonNode values, WithFile work) {
        try {
            Path file = Files.createTempFile("values", ".yaml");
            try {
                Files.writeString(file, Yaml.write(values));
                return work.apply(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

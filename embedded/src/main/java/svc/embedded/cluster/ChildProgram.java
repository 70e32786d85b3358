package svc.embedded.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The one program with all parts of the control plane in it ({@code e2e/kubernetes/main.go}).
 *
 * @param file the executable
 * @param folder where its parts write their logs
 */
record ChildProgram(Path file, Path folder) {
    /** Starts one part, which ends at the latest when this process does, however that ends. */
    Child start(String part, List<String> fixed, List<String> particular) throws IOException {
        Path log = folder.resolve(part + ".log");
        var builder = new ProcessBuilder(Stream.of(List.of(file.toString(), part), fixed, particular)
                        .flatMap(List::stream)
                        .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // The end of its standard input tells it that nobody needs it any more.
        builder.environment().put("SVC_ENDS_WITH_INPUT", "true");
        return new Child(builder.start(), log);
    }
}

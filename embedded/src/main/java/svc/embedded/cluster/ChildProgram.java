package svc.embedded.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The program that contains all parts of the control plane ({@code e2e/kubernetes/main.go}).
 *
 * @param file the executable
 * @param folder where its parts write their logs
 */
record ChildProgram(Path file, Path folder) {
    /** Starts one part, which exits at the latest when this process ends, also when it is killed. */
    Child start(String part, List<String> fixed, List<String> particular) throws IOException {
        Path log = folder.resolve(part + ".log");
        var builder = new ProcessBuilder(Stream.of(List.of(file.toString(), part), fixed, particular)
                        .flatMap(List::stream)
                        .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // It exits when its standard input is closed, which the kernel does when this process dies.
        builder.environment().put("SVC_ENDS_WITH_INPUT", "true");
        return new Child(builder.start(), log);
    }
}

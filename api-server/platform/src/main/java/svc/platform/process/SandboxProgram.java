package svc.platform.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program of the sandbox and the permissions it runs with. It gets nothing of this process's environment, which holds
 * the platform's secrets.
 *
 * @param file in the sandbox's folder
 * @param engineFlags of the JavaScript engine, its largest heap among them
 * @param permissions flags that open something; none for a program that reads its input and no more
 * @param arguments of the program
 * @param environment in addition to what the runtime needs
 */
public record SandboxProgram(
        Path file,
        List<String> engineFlags,
        List<String> permissions,
        List<String> arguments,
        Map<String, String> environment) {
    private static final List<String> CLOSED =
            List.of("run", "--no-prompt", "--no-remote", "--no-npm", "--no-config", "--no-lock", "--cached-only");

    /** In a process's folder: what it wrote to standard error. */
    public static final String ERROR_FILE = "stderr";

    /**
     * Starts the program.
     *
     * @param scratch its working directory and its runtime's cache
     * @throws IOException when the program is missing or cannot be started
     */
    public ChildProcess start(SandboxHome home, Path scratch) throws IOException {
        Path program = home.folder().resolve(file);
        if (!Files.isRegularFile(program)) {
            throw new IOException("the sandbox has no " + file + ": run ./svc build");
        }
        List<String> command = new ArrayList<>(List.of(home.runtime().toString()));
        command.addAll(CLOSED);
        command.add("--v8-flags=" + String.join(",", engineFlags));
        command.addAll(permissions);
        command.add(program.toString());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        Map<String, String> own = builder.environment();
        own.clear();
        own.put("DENO_DIR", scratch.toString());
        own.put("DENO_NO_UPDATE_CHECK", "1");
        own.put("NO_COLOR", "1");
        own.putAll(environment);
        return ChildProcess.start(builder.directory(scratch.toFile())
                .redirectError(scratch.resolve(ERROR_FILE).toFile()));
    }
}

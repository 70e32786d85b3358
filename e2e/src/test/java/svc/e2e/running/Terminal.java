package svc.e2e.running;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.e2e.platform.PlatformCommand;

/**
 * A terminal in which a person runs a program and types: {@code e2e/terminal/terminal.py}, by the pseudo-terminals of Python's
 * own library.
 *
 * @param columns of its window
 */
public record Terminal(CommandLine line, int columns) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * What happened.
     *
     * @param shown all that the terminal showed, with its control sequences
     * @param restored whether the terminal is as the shell left it: it shows what is typed, and Ctrl-C interrupts
     */
    public record Session(String shown, int code, boolean restored) {}

    /** What a person does, step by step. */
    public static final class Steps {
        private final List<Map<String, Object>> steps = new ArrayList<>();

        /** Waits for a text after what was seen before. */
        public Steps see(String text) {
            steps.add(Map.of("see", text));
            return this;
        }

        /** Waits until the terminal shows nothing of what is typed. */
        public Steps hidden() {
            steps.add(Map.of("hidden", true));
            return this;
        }

        public Steps type(String text) {
            steps.add(Map.of("type", text));
            return this;
        }
    }

    /** Runs the command line. */
    public Session svc(Steps steps, String... arguments) throws IOException {
        return run(steps, line.words(arguments));
    }

    /** Runs any program to its end. */
    public Session run(Steps steps, List<String> words) throws IOException {
        String session = JSON.writeValueAsString(Map.of(
                "words",
                words,
                "folder",
                line.folder().toString(),
                "environment",
                line.environment(),
                "columns",
                columns,
                "steps",
                steps.steps));
        String script =
                PlatformCommand.root().resolve("e2e/terminal/terminal.py").toString();
        return JSON.treeToValue(line.run(List.of("python3", script), session).json(), Session.class);
    }
}

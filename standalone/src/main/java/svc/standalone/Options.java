package svc.standalone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of {@code ./svc up}.
 *
 * @param data the folder that keeps everything
 * @param port of the gateway on the loopback interface; the Kubernetes API takes the next one
 */
record Options(Path data, int port) {
    private static final int DEFAULT_PORT = 8000;
    private static final int HIGHEST_PORT = 65534;

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException saying which option is wrong and what it takes
     */
    static Options parse(List<String> arguments) {
        Path data = Path.of("data");
        int port = DEFAULT_PORT;
        List<String> rest = new ArrayList<>(arguments);
        while (!rest.isEmpty()) {
            String option = rest.removeFirst();
            if (rest.isEmpty()) {
                throw new IllegalArgumentException(option + " is not an option or lacks its value; there are --data"
                        + " FOLDER and --port NUMBER");
            }
            String value = rest.removeFirst();
            switch (option) {
                case "--data" -> data = Path.of(value);
                case "--port" -> port = port(value);
                default ->
                    throw new IllegalArgumentException(
                            "there is no option " + option + "; there are --data FOLDER and --port NUMBER");
            }
        }
        return new Options(data.toAbsolutePath().normalize(), port);
    }

    private static int port(String value) {
        try {
            int port = Integer.parseInt(value);
            if (port >= 1 && port <= HIGHEST_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below, as for a number out of range.
        }
        throw new IllegalArgumentException("--port takes a number from 1 to " + HIGHEST_PORT + ", not " + value);
    }
}

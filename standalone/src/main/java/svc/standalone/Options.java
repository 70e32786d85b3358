package svc.standalone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The options of {@code ./svc up}.
 *
 * @param data the folder that keeps everything
 * @param port of the gateway on the loopback interface; the others of {@link LocalPort} follow
 * @param postgresPort of the PostgreSQL endpoint on the loopback interface; empty for its place among them
 */
record Options(Path data, int port, OptionalInt postgresPort) {
    private static final int DEFAULT_PORT = 8000;
    private static final String ALL = "there are --data FOLDER, --port NUMBER and --postgres-port NUMBER";

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException saying which option is wrong and what it takes
     */
    static Options parse(List<String> arguments) {
        Path data = Path.of("data");
        int port = DEFAULT_PORT;
        OptionalInt postgresPort = OptionalInt.empty();
        List<String> rest = new ArrayList<>(arguments);
        while (!rest.isEmpty()) {
            String option = rest.removeFirst();
            if (rest.isEmpty()) {
                throw new IllegalArgumentException(option + " is not an option or lacks its value; " + ALL);
            }
            String value = rest.removeFirst();
            switch (option) {
                case "--data" -> data = Path.of(value);
                case "--port" -> port = port(option, value);
                case "--postgres-port" -> postgresPort = OptionalInt.of(port(option, value));
                default -> throw new IllegalArgumentException("there is no option " + option + "; " + ALL);
            }
        }
        return new Options(data.toAbsolutePath().normalize(), port, postgresPort);
    }

    private static int port(String option, String value) {
        try {
            int port = Integer.parseInt(value);
            if (port >= 1 && port <= LocalPort.MAX_GATEWAY) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below, as for a number out of range.
        }
        throw new IllegalArgumentException(
                option + " takes a number from 1 to " + LocalPort.MAX_GATEWAY + ", not " + value);
    }
}

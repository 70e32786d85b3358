package svc.embedded.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.process.Reservations.Outcome;

/** Two JVMs on one machine get neither the same port nor the same user id. */
class ReservationsTest {
    private static final int PORTS = 500;

    @TempDir
    private Path folder;

    @Test
    void twoProcessesFindDifferentPorts() throws Exception {
        Process other = java(Ports.class);
        Set<String> theirs = new HashSet<>();
        Set<String> ours = new HashSet<>();
        try (var lines = other.inputReader()) {
            for (int i = 0; i < PORTS; i++) {
                ours.add(Integer.toString(FreePort.find()));
                theirs.add(line(lines));
            }
        } finally {
            other.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        assertThat(ours).hasSize(PORTS).doesNotContainAnyElementsOf(theirs);
        assertThat(theirs).hasSize(PORTS);
    }

    @Test
    void aReservationEndsWithItsProcess() throws Exception {
        var reservations = Reservations.in(folder, "users");
        Process other = java(Holder.class, folder.toString());
        try (var lines = other.inputReader()) {
            assertThat(line(lines)).isEqualTo("RESERVED");
            assertThat(reservations.take(7)).isEqualTo(Outcome.THEIRS);
            assertThat(reservations.take(8)).isEqualTo(Outcome.RESERVED);
        } finally {
            other.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        assertThat(reservations.take(7)).isEqualTo(Outcome.RESERVED);
    }

    @Test
    void aReservationIsGivenBack() {
        var reservations = Reservations.in(folder, "ports");
        assertThat(reservations.take(7)).isEqualTo(Outcome.RESERVED);
        assertThat(reservations.take(7)).isEqualTo(Outcome.OURS);
        reservations.release(7);
        assertThat(reservations.take(7)).isEqualTo(Outcome.RESERVED);
    }

    @Test
    void withoutAFileNumbersAreReservedWithinTheProcess() {
        var reservations = Reservations.in(folder.resolve("missing"), "ports");
        assertThat(reservations.take(7)).isEqualTo(Outcome.RESERVED);
        assertThat(reservations.take(7)).isEqualTo(Outcome.OURS);
    }

    /** The kernel gives no such port to an outgoing connection between the search and the start of the server. */
    @Test
    void portsAreOutsideTheEphemeralRange() throws IOException {
        try (var range = Files.newBufferedReader(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
            assertThat(FreePort.find())
                    .isLessThan(Integer.parseInt(range.readLine().split("\\s+")[0]));
        }
    }

    @Test
    void aPreferredPortIsKeptByItsProcess() {
        int port = FreePort.find();
        assertThat(FreePort.preferring(port)).isEqualTo(port);
        assertThat(FreePort.preferring(0)).isNotEqualTo(port).isPositive();
        int pair = FreePort.findPair();
        assertThat(FreePort.preferring(pair + 1)).isEqualTo(pair + 1);
    }

    private static Process java(Class<?> main, String... arguments) throws IOException {
        var command = new java.util.ArrayList<>(java.util.List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(java.util.List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String line(java.io.BufferedReader lines) throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("the other process ended by itself");
        }
        return line;
    }

    /** Prints ports as fast as they are read. */
    static final class Ports {
        private Ports() {}

        public static void main(String[] arguments) throws InterruptedException {
            for (int i = 0; i < PORTS; i++) {
                System.out.println(FreePort.find());
            }
            Thread.sleep(TimeUnit.MINUTES.toMillis(1));
        }
    }

    /** Reserves the number 7 until it is killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println(Reservations.in(Path.of(arguments[0]), "users").take(7));
            Thread.sleep(TimeUnit.MINUTES.toMillis(1));
        }
    }
}

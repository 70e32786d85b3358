package svc.embedded.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds TCP ports of the loopback interface that are free and stay free until the caller's server listens: outside of the
 * range from which the kernel serves outgoing connections, and reserved among this user's processes until this one ends.
 */
public final class FreePort {
    private static final int FIRST = 10_000;

    /** Kubernetes gives out node ports above. */
    private static final int LAST = 29_999;

    private static final int ATTEMPTS = 2_000;
    private static final Path EPHEMERAL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final Reservations RESERVED = Reservations.of("ports");

    private FreePort() {}

    /** The given port if nothing listens on it and no other process has reserved it, else any free one; 0 means any. */
    public static int preferring(int port) {
        return port != 0 && RESERVED.take(port) != Reservations.Outcome.THEIRS && isFree(port) ? port : find();
    }

    /** A port between 1024 and 65535. */
    public static int find() {
        return find(1);
    }

    /** The first of two neighbouring ports. */
    public static int findPair() {
        return find(2);
    }

    private static int find(int count) {
        int end = Math.min(LAST, firstEphemeral() - 1) - count;
        for (int attempt = 0; attempt < ATTEMPTS && end > FIRST; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, end);
            if (reserve(port, count)) {
                return port;
            }
        }
        // A machine with an unusual range: what the kernel finds free, though a connection may take it meanwhile.
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("while looking for a free port", e);
        }
    }

    private static boolean reserve(int first, int count) {
        for (int port = first; port < first + count; port++) {
            boolean reserved = RESERVED.take(port) == Reservations.Outcome.RESERVED;
            if (!reserved || !isFree(port)) {
                // Those before are this call's; this one too, unless another holds it.
                for (int mine = first; mine < port + (reserved ? 1 : 0); mine++) {
                    RESERVED.release(mine);
                }
                return false;
            }
        }
        return true;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static int firstEphemeral() {
        // In one large read: at any offset but 0 the kernel answers the end of the file.
        try (var range = Files.newBufferedReader(EPHEMERAL_RANGE)) {
            return Integer.parseInt(range.readLine().strip().split("\\s+")[0]);
        } catch (IOException | NumberFormatException e) {
            return LAST + 1;
        }
    }
}

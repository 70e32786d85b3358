package svc.embedded.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a command that refuses to run as root: unchanged for an ordinary user; for root in a user namespace of its
 * own, or, where the kernel or a container forbids these, as the user {@code nobody}.
 */
enum Unprivileged {
    /** The caller is an ordinary user: nothing to do. */
    DIRECT(List.of()),
    /** Root in a new user namespace: the process has the user id of {@code nobody}, files stay root's. */
    USER_NAMESPACE(List.of("unshare", "--user")),
    /** Root drops to the user {@code nobody}: change the owner of its files first. */
    NOBODY(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));

    private static final int NOBODY_ID = 65534;

    private final List<String> prefix;

    Unprivileged(List<String> prefix) {
        this.prefix = prefix;
    }

    /**
     * The first of them that works on this machine.
     *
     * @throws IllegalStateException if the caller is root and neither {@code unshare} nor {@code setpriv} works
     */
    static Unprivileged detect() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return DIRECT;
        }
        return Stream.of(USER_NAMESPACE, NOBODY)
                .filter(Unprivileged::works)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("PostgreSQL does not run as root, and neither 'unshare"
                        + " --user' nor 'setpriv' works here. Run as an ordinary user, or install util-linux."));
    }

    List<String> command(List<String> command) {
        var whole = new ArrayList<>(prefix);
        whole.addAll(command);
        return whole;
    }

    /** Changes the owner of a folder and its contents to the user of the command. */
    void handOver(Path folder) {
        if (this != NOBODY) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.setAttribute(file, "unix:uid", NOBODY_ID);
                Files.setAttribute(file, "unix:gid", NOBODY_ID);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("while handing " + folder + " over to the user nobody", e);
        }
    }

    private boolean works() {
        try {
            Process process = new ProcessBuilder(command(List.of("true")))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package svc.embedded.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import svc.embedded.process.Reservations;

/**
 * The user and the limits that processes of functions run with: root gives each Deployment a user id of its own, that owns
 * nothing but its folder and sees no other process; an ordinary user can only run them as itself. No new privileges either way, where
 * util-linux is installed.
 */
final class Confinement {
    /** Above the ids that systems assign, below those of user namespaces. */
    private static final int FIRST_USER = 61_000;

    private static final int USERS = 4_000;
    private static final int MAX_THREADS = 256;
    private static final int MAX_OPEN_FILES = 1_024;

    // RLIMIT_NPROC counts all processes of a user id on the machine, and a user can signal and trace its own processes.
    private static final Reservations RESERVED = Reservations.of("function-users");

    private static final List<String> ORDINARY =
            List.of("prlimit", "--core=0", "--nofile=" + MAX_OPEN_FILES, "setpriv", "--no-new-privs");

    private final boolean ownUsers;
    private final boolean tools;
    private final AtomicInteger shared = new AtomicInteger();

    private Confinement(boolean ownUsers, boolean tools) {
        this.ownUsers = ownUsers;
        this.tools = tools;
    }

    /**
     * Detects what this machine allows.
     *
     * @throws IOException when we are root and cannot step down: a function never runs as root
     */
    static Confinement detect() throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            return ofOrdinaryUser();
        }
        var root = new Confinement(true, true);
        if (!works(root.command(FIRST_USER, List.of("true")))) {
            throw new IOException("functions never run as root, and setpriv and prlimit do not work here. Install"
                    + " util-linux, or run as an ordinary user.");
        }
        return root;
    }

    /** Without root: everything runs as the current user. */
    static Confinement ofOrdinaryUser() {
        return new Confinement(false, works(new Confinement(false, true).command(FIRST_USER, List.of("true"))));
    }

    /** Whether functions run as other users than we do. */
    boolean ownUsers() {
        return ownUsers;
    }

    /** A user for one Deployment, until it is given back; no other platform on this machine has it. */
    int takeUser() {
        for (int user = FIRST_USER; user < FIRST_USER + USERS; user++) {
            if (RESERVED.take(user) == Reservations.Outcome.RESERVED) {
                return user;
            }
        }
        // With more Deployments than users some share one; Deno's permissions still keep them apart.
        return FIRST_USER + Math.floorMod(shared.getAndIncrement(), USERS);
    }

    void giveBack(int user) {
        RESERVED.release(user);
    }

    /** A command as that user. */
    List<String> command(int user, List<String> command) {
        List<String> whole = new ArrayList<>();
        if (ownUsers) {
            whole.addAll(List.of("prlimit", "--core=0", "--nofile=" + MAX_OPEN_FILES, "--nproc=" + MAX_THREADS));
            whole.addAll(List.of(
                    "setpriv",
                    "--reuid=" + user,
                    "--regid=" + user,
                    "--clear-groups",
                    "--no-new-privs",
                    "--inh-caps=-all",
                    "--bounding-set=-all"));
        } else if (tools) {
            whole.addAll(ORDINARY);
        }
        whole.addAll(command);
        return whole;
    }

    /** Creates a folder that only that user and root can read. */
    void makeFolder(Path folder, int user) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder.getParent(), PosixFilePermissions.fromString("rwx--x--x"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        if (ownUsers) {
            Files.setAttribute(folder, "unix:uid", user);
            Files.setAttribute(folder, "unix:gid", user);
        }
    }

    private static boolean works(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

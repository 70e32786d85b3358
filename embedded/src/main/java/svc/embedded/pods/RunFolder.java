package svc.embedded.pods;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import svc.embedded.process.Folders;

/**
 * The folder in which functions run: a copy of the runner's program that their users can read, Deno's cache, the bundles
 * by hash, and for each Deployment {@code <namespace>/<name>/<n>.sock}. Nothing in it outlives the platform but the
 * bundles and the cache.
 *
 * @param root absolute; short, because the path of a socket has at most 107 bytes
 */
record RunFolder(Path root) {
    private static final int MAX_SOCKET_PATH_BYTES = 107;
    private static final String MACHINE = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    private static final Path DENO = Path.of("node_modules", "@deno", "linux-" + MACHINE + "-glibc", "deno");

    RunFolder {
        root = root.toAbsolutePath().normalize();
    }

    /** Creates the folder, and removes the pods of an earlier run. */
    void prepare() throws IOException {
        Files.createDirectories(root);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
        try (Stream<Path> entries = Files.list(root)) {
            for (Path entry : entries.toList()) {
                if (!entry.getFileName().toString().startsWith(".")) {
                    Folders.deleteRecursively(entry);
                }
            }
        }
        for (Path folder : List.of(cache(), bundles())) {
            Files.createDirectories(folder);
        }
        Files.setPosixFilePermissions(cache(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(bundles(), PosixFilePermissions.fromString("rwx------"));
    }

    /**
     * Copies the runner to a folder that the functions' users can read.
     *
     * @param sandbox the folder with the sandbox's programs and Deno
     * @throws IOException saying what is missing
     */
    RunCommand install(Path sandbox) throws IOException {
        Path program = root.resolve(".program");
        Folders.deleteRecursively(program);
        Path run = program.resolve("run");
        Path source = sandbox.resolve("run");
        Path deno = sandbox.resolve(DENO);
        for (Path part : List.of(source.resolve(RunCommand.PERMISSIONS), deno)) {
            if (!Files.isRegularFile(part)) {
                throw new IOException("the sandbox has no " + part + ": run ./svc build");
            }
        }
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.toList()) {
                Path copy = run.resolve(source.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
                } else {
                    // Keep the modification time: Deno's compile cache looks it up first.
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
                }
            }
        }
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return RunCommand.of(linkOrCopy(deno, program.resolve("deno")), run);
    }

    Path cache() {
        return root.resolve(".deno");
    }

    Path bundles() {
        return root.resolve(".bundles");
    }

    /** The folder of one Deployment's pods. */
    Path of(DesiredPods desired) {
        return root.resolve(desired.namespace()).resolve(desired.name());
    }

    /**
     * The socket of one pod.
     *
     * @throws IOException when the kernel takes no path that long
     */
    Path socket(DesiredPods desired, int number) throws IOException {
        Path socket = of(desired).resolve(number + ".sock");
        if (socket.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length > MAX_SOCKET_PATH_BYTES) {
            throw new IOException("the path of the socket " + socket + " is longer than " + MAX_SOCKET_PATH_BYTES
                    + " bytes: choose a shorter folder for the platform, or shorter names");
        }
        return socket;
    }

    /** The socket of a Deployment's way to the gateway; no longer than that of a pod. */
    Path gatewaySocket(DesiredPods desired) {
        return of(desired).resolve("g.sock");
    }

    /** A hard link to a file, or a copy where the file system has none. */
    static Path linkOrCopy(Path file, Path name) throws IOException {
        Files.deleteIfExists(name);
        try {
            return Files.createLink(name, file);
        } catch (FileSystemException | UnsupportedOperationException e) {
            return Files.copy(file, name, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }
}

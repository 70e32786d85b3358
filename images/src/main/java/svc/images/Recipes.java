package svc.images;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is in each image, layer by layer: first what changes least and is shared by all images. */
final class Recipes {
    /** An unprivileged user and group. */
    static final String USER = "65532:65532";

    private static final String DENO = "sandbox/node_modules/@deno/linux-x64-glibc";
    private static final int PORT = 8080;

    private final Path repository;
    private final Path packages;
    private final Path java;
    private final String version;
    private final long epochSeconds;
    private final PackageLock lock;
    private final Layer base;
    private final Layer runtime;

    /**
     * @param packages the folder of the locked packages
     * @param java a runtime that jlink made
     */
    Recipes(Path repository, Path packages, Path java, String version, long epochSeconds) throws IOException {
        this.repository = repository;
        this.packages = packages;
        this.java = java;
        this.version = version;
        this.epochSeconds = epochSeconds;
        this.lock = PackageLock.read(repository.resolve("images/packages.lock"));
        this.base = base();
        this.runtime = Layer.of(
                "Java", new FileTree().folder("opt/java", java, path -> !path.equals("lib/classlist")), epochSeconds);
    }

    /** One finished image. */
    record Image(String name, ImageConfig config, List<Layer> layers, byte[] sbom) {}

    Image operator() throws IOException {
        return ofJava("operator", "operator", List.of(), List.of());
    }

    Image apiServer() throws IOException {
        var sandbox = new FileTree();
        sandbox.program("svc/sandbox/node_modules/@deno/linux-x64-glibc/deno", deno());
        for (String folder : List.of("build", "image", "parse", "run")) {
            sandbox.folder(
                    "svc/sandbox/" + folder, repository.resolve("sandbox").resolve(folder), path -> true);
        }
        Layer layer = Layer.of("the sandbox and Deno", sandbox, epochSeconds);
        return ofJava("api-server", "api-server/server", List.of(layer), List.of("-Dsvc.sandbox.home=/svc/sandbox"));
    }

    Image functionRuntime() throws IOException {
        Layer deno = Layer.of("Deno", new FileTree().program("svc/deno", deno()), epochSeconds);
        var run = new FileTree().folder("svc/run", repository.resolve("sandbox/run"), path -> true);
        FunctionCommand command =
                FunctionCommand.of(repository.resolve("sandbox/run/permissions.json"), "/svc/deno", "/svc/run");
        byte[] sbom = Sbom.of("svc/function-runtime", version, null, parts(true, false));
        run.file("usr/share/sbom/svc.cdx.json", sbom);
        var config = new ImageConfig(
                "svc function runtime",
                version,
                USER,
                "/svc",
                command.entrypoint(),
                command.environment(),
                List.of(PORT));
        List<Layer> layers = List.of(base, deno, Layer.of("the runner of functions", run, epochSeconds));
        return new Image("svc/function-runtime", config, layers, sbom);
    }

    /** @param module the folder of the runnable Maven module, below the repository */
    private Image ofJava(String name, String module, List<Layer> more, List<String> options) throws IOException {
        Path app = repository.resolve(module).resolve("target/quarkus-app");
        // Third parties' change with a release of theirs, ours with each of ours.
        Layer libraries = Layer.of(
                "libraries",
                new FileTree().folder("svc/app", app, path -> isLibrary(path) && !isOurs(path)),
                epochSeconds);
        byte[] sbom = Sbom.of(
                "svc/" + name,
                version,
                repository.resolve(module).resolve("target/bom.json"),
                parts(!more.isEmpty(), true));
        var program = new FileTree()
                .folder("svc/app", app, path -> !isLibrary(path) || isOurs(path))
                .file("usr/share/sbom/svc.cdx.json", sbom);
        List<Layer> layers = new ArrayList<>(List.of(base, runtime));
        layers.addAll(more);
        layers.add(libraries);
        layers.add(Layer.of("svc " + name, program, epochSeconds));
        var config = new ImageConfig(
                "svc " + name,
                version,
                USER,
                "/svc",
                javaCommand(options),
                Map.of("LANG", "C.UTF-8", "JAVA_HOME", "/opt/java"),
                List.of(PORT));
        return new Image("svc/" + name, config, layers, sbom);
    }

    /** How a program of ours starts; memory is a share of the container's, which {@code JDK_JAVA_OPTIONS} may change. */
    static List<String> javaCommand(List<String> options) {
        List<String> command = new ArrayList<>(List.of(
                "/opt/java/bin/java",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager"));
        command.addAll(options);
        command.addAll(List.of("-jar", "/svc/app/quarkus-run.jar"));
        return command;
    }

    private static boolean isLibrary(String path) {
        return path.startsWith("lib/");
    }

    private static boolean isOurs(String path) {
        return path.startsWith("lib/main/svc.");
    }

    private Layer base() throws IOException {
        var tree = new FileTree();
        for (PackageLock.Entry entry : lock.entries()) {
            DebianPackage.unpack(entry.in(packages), entry, tree);
        }
        tree.put("tmp", new FileTree.Entry.Folder(01777));
        tree.put("proc", new FileTree.Entry.Folder(0555));
        tree.put("dev", new FileTree.Entry.Folder(0755));
        tree.file("etc/passwd", text("root:x:0:0:root:/:/nologin\nsvc:x:65532:65532:svc:/tmp:/nologin\n"));
        tree.file("etc/group", text("root:x:0:\nsvc:x:65532:\n"));
        tree.file("etc/nsswitch.conf", text("passwd: files\ngroup: files\nhosts: files dns\n"));
        return Layer.of(
                "Debian 12: "
                        + lock.entries().stream().map(PackageLock.Entry::name).toList(),
                tree,
                epochSeconds);
    }

    private byte[] deno() throws IOException {
        return Files.readAllBytes(repository.resolve(DENO).resolve("deno"));
    }

    private List<Sbom.Part> parts(boolean withDeno, boolean withJava) throws IOException {
        List<Sbom.Part> parts = new ArrayList<>();
        for (PackageLock.Entry entry : lock.entries()) {
            parts.add(new Sbom.Part(
                    entry.name(), entry.version(), "pkg:deb/debian/" + entry.name() + "@" + entry.version()));
        }
        if (withJava) {
            String of = javaVersion(Files.readString(java.resolve("release")));
            parts.add(new Sbom.Part("openjdk", of, "pkg:generic/openjdk@" + of));
        }
        if (withDeno) {
            String of = npmVersion(Files.readString(repository.resolve(DENO).resolve("package.json")));
            parts.add(new Sbom.Part("deno", of, "pkg:npm/%40deno/linux-x64-glibc@" + of));
        }
        return parts;
    }

    /**
     * The version in the file {@code release} of a Java runtime. One that jlink made has JAVA_VERSION alone.
     *
     * @throws IllegalArgumentException if the file names no version
     */
    static String javaVersion(String release) {
        return Stream.of("JAVA_RUNTIME_VERSION", "JAVA_VERSION")
                .map(name ->
                        Pattern.compile("(?m)^" + name + "=\"([^\"\\s]+)\"$").matcher(release))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the release file of the Java runtime has no version"));
    }

    /** @throws IllegalArgumentException if the package.json names no version */
    static String npmVersion(String manifest) throws IOException {
        String version = new ObjectMapper().readTree(manifest).path("version").asText();
        if (version.isEmpty()) {
            throw new IllegalArgumentException("the package.json has no version");
        }
        return version;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

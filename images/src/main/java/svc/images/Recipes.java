package svc.images;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is in each image, layer by layer: first what changes least and is shared by all images. */
final class Recipes {
    /** An unprivileged user and group. */
    static final String USER = "65532:65532";

    private static final int PORT = 8080;

    private final Path repository;
    private final String version;
    private final long epochSeconds;
    private final Parts parts;
    private final Layer base;
    private final Layer runtime;

    /**
     * What the images of one architecture have of other origins.
     *
     * @param packages the folder of the locked Debian packages
     * @param deno the folder of Deno's package
     */
    record Parts(Architecture architecture, Path packages, PackageLock lock, JavaRuntime java, Path deno) {}

    Recipes(Path repository, String version, long epochSeconds, Parts parts) throws IOException {
        this.repository = repository;
        this.version = version;
        this.epochSeconds = epochSeconds;
        this.parts = parts;
        this.base = base();
        this.runtime = layer("Java", parts.java().tree());
    }

    /** One finished image, on one architecture. */
    record Image(String name, OciArchive.Variant variant, byte[] sbom) {}

    Image operator() throws IOException {
        return ofJava("operator", "operator", List.of(), List.of());
    }

    Image apiServer() throws IOException {
        var sandbox = new FileTree();
        sandbox.program("svc/sandbox/node_modules/@deno/" + parts.architecture().deno() + "/deno", deno());
        for (String folder : List.of("build", "image", "parse", "run")) {
            sandbox.folder(
                    "svc/sandbox/" + folder, repository.resolve("sandbox").resolve(folder), path -> true);
        }
        Layer layer = layer("the sandbox and Deno", sandbox);
        return ofJava("api-server", "api-server/server", List.of(layer), List.of("-Dsvc.sandbox.home=/svc/sandbox"));
    }

    Image functionRuntime() throws IOException {
        Layer deno = layer("Deno", new FileTree().program("svc/deno", deno()));
        var run = new FileTree().folder("svc/run", repository.resolve("sandbox/run"), path -> true);
        FunctionCommand command =
                FunctionCommand.of(repository.resolve("sandbox/run/permissions.json"), "/svc/deno", "/svc/run");
        byte[] sbom = Sbom.of("svc/function-runtime", version, null, listed(true, false));
        run.file("usr/share/sbom/svc.cdx.json", sbom);
        var config = new ImageConfig(
                "svc function runtime",
                version,
                USER,
                "/svc",
                command.entrypoint(),
                command.environment(),
                List.of(PORT));
        List<Layer> layers = List.of(base, deno, layer("the runner of functions", run));
        return image("svc/function-runtime", config, layers, sbom);
    }

    /** @param module the folder of the runnable Maven module, below the repository */
    private Image ofJava(String name, String module, List<Layer> more, List<String> options) throws IOException {
        Path app = repository.resolve(module).resolve("target/quarkus-app");
        // Third parties' change with a release of theirs, ours with each of ours.
        Layer libraries =
                layer("libraries", new FileTree().folder("svc/app", app, path -> isLibrary(path) && !isOurs(path)));
        byte[] sbom = Sbom.of(
                "svc/" + name,
                version,
                repository.resolve(module).resolve("target/bom.json"),
                listed(!more.isEmpty(), true));
        var program = new FileTree()
                .folder("svc/app", app, path -> !isLibrary(path) || isOurs(path))
                .file("usr/share/sbom/svc.cdx.json", sbom);
        List<Layer> layers = new ArrayList<>(List.of(base, runtime));
        layers.addAll(more);
        layers.add(libraries);
        layers.add(layer("svc " + name, program));
        var config = new ImageConfig(
                "svc " + name,
                version,
                USER,
                "/svc",
                javaCommand(options),
                Map.of("LANG", "C.UTF-8", "JAVA_HOME", "/opt/java"),
                List.of(PORT));
        return image("svc/" + name, config, layers, sbom);
    }

    private Image image(String name, ImageConfig config, List<Layer> layers, byte[] sbom) {
        return new Image(name, new OciArchive.Variant(parts.architecture(), config, layers), sbom);
    }

    /** @throws IOException when something in it is for another architecture */
    private Layer layer(String createdBy, FileTree tree) throws IOException {
        parts.architecture().check(tree);
        return Layer.of(createdBy, tree, epochSeconds);
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
        for (PackageLock.Entry entry : parts.lock().entries()) {
            DebianPackage.unpack(entry.debianPackage(parts.packages()), entry, tree);
        }
        tree.put("tmp", new FileTree.Entry.Folder(01777));
        tree.put("proc", new FileTree.Entry.Folder(0555));
        tree.put("dev", new FileTree.Entry.Folder(0755));
        tree.file("etc/passwd", text("root:x:0:0:root:/:/nologin\nsvc:x:65532:65532:svc:/tmp:/nologin\n"));
        tree.file("etc/group", text("root:x:0:\nsvc:x:65532:\n"));
        tree.file("etc/nsswitch.conf", text("passwd: files\ngroup: files\nhosts: files dns\n"));
        return layer(
                "Debian 12: "
                        + parts.lock().entries().stream()
                                .map(PackageLock.Entry::name)
                                .toList(),
                tree);
    }

    private byte[] deno() throws IOException {
        return Files.readAllBytes(parts.deno().resolve("deno"));
    }

    private List<Sbom.Part> listed(boolean withDeno, boolean withJava) throws IOException {
        String architecture = parts.architecture().label();
        List<Sbom.Part> listed = new ArrayList<>();
        for (PackageLock.Entry entry : parts.lock().entries()) {
            String purl = "pkg:deb/debian/" + entry.name() + "@" + entry.version() + "?arch=" + architecture;
            listed.add(new Sbom.Part(entry.name(), entry.version(), purl));
        }
        if (withJava) {
            String of = parts.java().version();
            listed.add(new Sbom.Part("openjdk", of, "pkg:generic/openjdk@" + of + "?arch=" + architecture));
        }
        if (withDeno) {
            String of = npmVersion(Files.readString(parts.deno().resolve("package.json")));
            listed.add(new Sbom.Part(
                    "deno", of, "pkg:npm/%40deno/" + parts.architecture().deno() + "@" + of));
        }
        return listed;
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

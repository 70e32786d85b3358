package svc.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.images.SampleParts.CONFIG;
import static svc.images.SampleParts.EPOCH;
import static svc.images.SampleParts.blob;
import static svc.images.SampleParts.debianPackage;
import static svc.images.SampleParts.locked;
import static svc.images.SampleParts.path;
import static svc.images.SampleParts.text;
import static svc.images.SampleParts.untar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same parts give the same image, to the byte; and each part stands where and as a container needs it. */
class ImagesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path REPOSITORY = Path.of("..");

    @TempDir
    Path folder;

    @Test
    void timesOwnersAndTheOrderOfFilesLeaveNoTrace() throws IOException {
        Path one = Files.createDirectories(folder.resolve("one/lib"));
        Path other = Files.createDirectories(folder.resolve("other/lib"));
        for (String name : List.of("b.jar", "a.jar")) {
            Files.writeString(one.resolve(name), name);
        }
        for (String name : List.of("a.jar", "b.jar")) {
            Path file = Files.writeString(other.resolve(name), name);
            Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }

        byte[] first = image(new FileTree().folder("app", one.getParent(), path -> true), "first");
        byte[] second = image(new FileTree().folder("app", other.getParent(), path -> true), "second");

        assertThat(first).isEqualTo(second);
    }

    @Test
    void theArchiveIsAnOciLayoutWhoseDigestsHold() throws IOException {
        byte[] archive = image(new FileTree().program("svc/deno", text("program")), "image");

        Map<String, byte[]> files = untar(archive);
        assertThat(files).containsKey("oci-layout");
        JsonNode entry = JSON.readTree(files.get("index.json")).at("/manifests/0");
        JsonNode manifest = blob(files, entry);
        JsonNode config = blob(files, manifest.path("config"));
        byte[] layer = files.get(path(manifest.at("/layers/0")));
        assertThat(layer).hasSize(manifest.at("/layers/0/size").asInt());
        byte[] unpacked = new GzipCompressorInputStream(new ByteArrayInputStream(layer)).readAllBytes();
        assertThat(config.at("/rootfs/diff_ids/0").asText()).isEqualTo(Digest.of(unpacked));
        assertThat(config.at("/config/User").asText()).isEqualTo("65532:65532");
        assertThat(config.at("/created").asText()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(config.at("/config/Env/0").asText()).isEqualTo("A=1");
        assertThat(untar(unpacked)).containsEntry("svc/deno", text("program"));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (file.getKey().startsWith("blobs/sha256/")) {
                assertThat(file.getKey()).endsWith(Digest.hex(file.getValue()));
            }
        }
    }

    @Test
    void modesAreThoseOfProgramsAndOfFiles() throws IOException {
        var tree = new FileTree()
                .program("svc/deno", text("x"))
                .file("etc/passwd", text("y"))
                .put("tmp", new FileTree.Entry.Folder(01777))
                .put("lib/libc.so", new FileTree.Entry.Link("libc.so.6"));

        Map<String, TarArchiveEntry> entries = entries(Layer.archive(tree, EPOCH));

        assertThat(entries.get("svc/deno").getMode() & 0777).isEqualTo(0755);
        assertThat(entries.get("etc/passwd").getMode() & 0777).isEqualTo(0644);
        assertThat(entries.get("tmp/").getMode() & 01777).isEqualTo(01777);
        assertThat(entries.get("lib/libc.so").getLinkName()).isEqualTo("libc.so.6");
        assertThat(entries.values()).allSatisfy(entry -> {
            assertThat(entry.getLongUserId()).isZero();
            assertThat(entry.getModTime().getTime()).isEqualTo(EPOCH * 1000);
        });
    }

    @Test
    void nothingLeadsOutOfALayerOrReplacesAnotherFile() {
        var tree = new FileTree().file("a/b", text("x"));

        assertThatThrownBy(() -> tree.file("../etc/passwd", text("x"))).hasMessageContaining("no path inside");
        assertThatThrownBy(() -> tree.file("/etc/passwd", text("x"))).hasMessageContaining("no path inside");
        assertThatThrownBy(() -> tree.file("a/b", text("y"))).hasMessageContaining("two entries have the path a/b");
    }

    @Test
    void aPackageIsUnpackedWithoutItsDocumentationAndOnlyWhenItIsTheLockedOne() throws IOException {
        byte[] deb = debianPackage(
                "amd64",
                Map.of(
                        "./lib/x86_64-linux-gnu/libc.so.6", "library",
                        "./usr/share/doc/libc6/copyright", "licence",
                        "./usr/share/doc/libc6/changelog.gz", "history",
                        "./usr/share/man/man7/libc.7", "manual",
                        "./etc/ld.so.conf.d/x.conf", "conf"));
        Path file = Files.write(folder.resolve("libc6.deb"), deb);

        var tree = new FileTree();
        DebianPackage.unpack(file, locked(deb), tree);

        assertThat(tree.entries().keySet())
                .contains("lib/x86_64-linux-gnu/libc.so.6", "usr/share/doc/libc6/copyright")
                .noneMatch(path -> path.matches(".*(changelog|man7|ld.so.conf).*"));
        assertThatThrownBy(() -> DebianPackage.unpack(
                        file, new PackageLock.Entry("libc6", Architecture.AMD64, "1", "0".repeat(64)), new FileTree()))
                .hasMessageContaining("is not the package of images/packages.lock");
    }

    @Test
    void theLockNamesEachPackageToTheByte() throws IOException {
        assertThat(PackageLock.read(Path.of("packages.lock")).entries())
                .hasSizeGreaterThan(2)
                .allMatch(entry -> entry.sha256().matches("[0-9a-f]{64}"));
        Path wrong = Files.writeString(folder.resolve("lock"), "libc6 2.36\n");
        assertThatThrownBy(() -> PackageLock.read(wrong)).hasMessageContaining("libc6 2.36");
    }

    @Test
    void functionsStartWithTheFlagsOfTheRunnerAndMayReachAGatewayInTheCluster() throws IOException {
        FunctionCommand command = command();

        assertThat(command.entrypoint())
                .startsWith("/svc/deno", "run", "--no-prompt", "--no-remote", "--no-npm")
                .contains("--allow-read=/svc/run")
                .noneMatch(flag -> flag.startsWith("--allow-write") || flag.startsWith("--allow-run"))
                .endsWith("/svc/run/main.ts");
        String denied = command.entrypoint().stream()
                .filter(flag -> flag.startsWith("--deny-net="))
                .findFirst()
                .orElseThrow();
        assertThat(denied)
                .contains("127.0.0.0/8", "169.254.0.0/16", "[::1]", "[fd00:ec2::254]")
                .doesNotContain("10.0.0.0/8", "192.168.0.0/16");
    }

    /** What is written twice is compared. */
    @Test
    void theDockerfilesStartWhatTheBuilderStarts() throws IOException {
        String functions = Files.readString(Path.of("function-runtime/Dockerfile"));

        assertThat(functions).contains("ENTRYPOINT " + json(command().entrypoint()));
        for (String module : List.of("operator", "api-server")) {
            String dockerfile = Files.readString(Path.of(module, "Dockerfile"));
            List<String> options = module.equals("api-server") ? List.of("-Dsvc.sandbox.home=/svc/sandbox") : List.of();
            assertThat(dockerfile)
                    .contains("ENTRYPOINT " + json(Recipes.javaCommand(options)))
                    .contains("USER " + Recipes.USER)
                    .contains("SOURCE_DATE_EPOCH");
        }
    }

    @Test
    void theListOfPartsHasLibrariesAndWhatIsNotJava() throws IOException {
        Path libraries = Files.writeString(
                folder.resolve("bom.json"),
                "{\"specVersion\":\"1.6\",\"serialNumber\":\"x\",\"components\":[{\"name\":\"vertx\"}]}");

        JsonNode sbom = JSON.readTree(Sbom.of(
                "svc/operator", "1", libraries, List.of(new Sbom.Part("libc6", "2", "pkg:deb/debian/libc6@2"))));

        assertThat(sbom.path("components").findValuesAsText("name")).containsExactly("vertx", "libc6");
        assertThat(sbom.has("serialNumber")).isFalse();
    }

    /** The runtime in an image is made by jlink, whose file names fewer things than that of a JDK. */
    @Test
    void theVersionOfJavaIsAVersion() {
        assertThat(
                        javaVersion(
                                "IMPLEMENTOR=\"Debian\"\nJAVA_RUNTIME_VERSION=\"21.0.8+9-Debian-1\"\nJAVA_VERSION=\"21.0.8\"\n"))
                .isEqualTo("21.0.8+9-Debian-1");
        assertThat(javaVersion("JAVA_VERSION=\"25.0.1\"\nMODULES=\"java.base java.logging\"\n"))
                .isEqualTo("25.0.1");
        assertThatThrownBy(() -> javaVersion("MODULES=\"java.base\"\n")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theVersionOfDenoIsThatOfItsPackage() throws IOException {
        assertThat(Recipes.npmVersion("{\"dependencies\":{\"x\":{\"version\":\"9\"}},\"version\":\"2.1.4\"}"))
                .isEqualTo("2.1.4");
        assertThatThrownBy(() -> Recipes.npmVersion("{}")).isInstanceOf(IllegalArgumentException.class);
    }

    private static String javaVersion(String release) {
        return new JavaRuntime(new FileTree(), release).version();
    }

    private static FunctionCommand command() throws IOException {
        return FunctionCommand.of(REPOSITORY.resolve("sandbox/run/permissions.json"), "/svc/deno", "/svc/run");
    }

    private static String json(List<String> words) throws IOException {
        return JSON.writeValueAsString(words).replace("\",\"", "\", \"");
    }

    private byte[] image(FileTree tree, String name) throws IOException {
        var variant = new OciArchive.Variant(Architecture.AMD64, CONFIG, List.of(Layer.of("test", tree, EPOCH)));
        Path file = folder.resolve(name + ".oci.tar");
        OciArchive.write(file, "svc/test:1", List.of(variant), EPOCH);
        return Files.readAllBytes(file);
    }

    private static Map<String, TarArchiveEntry> entries(byte[] archive) throws IOException {
        Map<String, TarArchiveEntry> entries = new TreeMap<>();
        try (var tar = new TarArchiveInputStream(new ByteArrayInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                entries.put(entry.getName(), entry);
            }
        }
        return entries;
    }
}

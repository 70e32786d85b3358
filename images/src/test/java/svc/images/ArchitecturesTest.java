package svc.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.images.SampleParts.CONFIG;
import static svc.images.SampleParts.EPOCH;
import static svc.images.SampleParts.blob;
import static svc.images.SampleParts.debianPackage;
import static svc.images.SampleParts.elf;
import static svc.images.SampleParts.locked;
import static svc.images.SampleParts.text;
import static svc.images.SampleParts.untar;
import static svc.images.SampleParts.wheel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One image for two architectures, each with its own programs and none of the other's. */
class ArchitecturesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    @Test
    void theLocksNameThePackagesOfBothArchitectures() throws IOException {
        for (String lock : List.of("packages.lock", "java.lock")) {
            PackageLock packages = PackageLock.read(Path.of(lock));
            assertThat(names(packages.of(Architecture.ARM64)))
                    .as(lock)
                    .isNotEmpty()
                    .isEqualTo(names(packages.of(Architecture.AMD64)));
        }
    }

    @Test
    void aPackageForAnotherArchitectureIsRefused() throws IOException {
        byte[] deb = debianPackage("arm64", Map.of("./lib/libc.so.6", "library"));
        Path file = Files.write(folder.resolve("libc6.deb"), deb);

        assertThatThrownBy(() -> DebianPackage.unpack(file, locked(deb), new FileTree()))
                .hasMessageContaining("is not for amd64");
    }

    @Test
    void aProgramForAnotherArchitectureIsRefused() throws IOException {
        FileTree tree = new FileTree().file("etc/passwd", text("x")).program("svc/deno", elf(183));

        Architecture.ARM64.check(tree);
        assertThatThrownBy(() -> Architecture.AMD64.check(tree))
                .hasMessage("svc/deno is not for amd64: its ELF machine is 183, not 62");
    }

    @Test
    void anImageOfTwoArchitecturesIsAnIndexThatSharesEqualLayers() throws IOException {
        Layer shared = Layer.of("jars", new FileTree().file("svc/app/a.jar", text("jar")), EPOCH);
        List<OciArchive.Variant> variants = new ArrayList<>();
        for (Architecture architecture : Architecture.values()) {
            Layer own = Layer.of("Deno", new FileTree().program("svc/deno", text(architecture.label())), EPOCH);
            variants.add(new OciArchive.Variant(architecture, CONFIG, List.of(own, shared)));
        }
        Path file = folder.resolve("both.oci.tar");

        String digest = OciArchive.write(file, "svc/test:1", variants, EPOCH);

        Map<String, byte[]> files = untar(Files.readAllBytes(file));
        JsonNode entry = JSON.readTree(files.get("index.json")).at("/manifests/0");
        assertThat(entry.path("digest").asText()).isEqualTo(digest);
        assertThat(entry.path("mediaType").asText()).isEqualTo("application/vnd.oci.image.index.v1+json");
        JsonNode index = blob(files, entry);
        assertThat(index.path("manifests").findValuesAsText("architecture")).containsExactly("amd64", "arm64");
        for (JsonNode of : index.path("manifests")) {
            JsonNode manifest = blob(files, of);
            assertThat(blob(files, manifest.path("config")).path("architecture"))
                    .isEqualTo(of.at("/platform/architecture"));
            assertThat(manifest.at("/layers/1/digest").asText()).isEqualTo(Digest.of(shared.blob()));
        }
        // Two configurations, two manifests, two layers of Deno, one of jars, the index.
        assertThat(files.keySet().stream().filter(path -> path.startsWith("blobs/sha256/")))
                .hasSize(8);
    }

    @Test
    void theJavaRuntimeOfAWheelIsTakenWithItsModes() throws IOException {
        byte[] wheel = wheel(Map.of(
                "x/__init__.py", "python",
                "x/runtime/bin/java", "program",
                "x/runtime/lib/classlist", "list",
                "x/runtime/release", "JAVA_VERSION=\"25.0.4\"\nMODULES=\"java.base java.se\"\n"));

        JavaRuntime runtime = JavaRuntime.inWheel(wheel);

        assertThat(runtime.version()).isEqualTo("25.0.4");
        assertThat(runtime.tree().entries())
                .containsKeys("opt/java/bin/java", "opt/java/release")
                .doesNotContainKey("opt/java/lib/classlist");
        assertThat(((FileTree.Entry.File) runtime.tree().entries().get("opt/java/bin/java")).mode())
                .isEqualTo(0755);
        runtime.check(List.of("java.se"));
        assertThatThrownBy(() -> runtime.check(List.of("java.se", "jdk.jfr"))).hasMessageContaining("[jdk.jfr]");
        assertThatThrownBy(() -> JavaRuntime.inWheel(wheel(Map.of("x/__init__.py", "python"))))
                .hasMessageContaining("no Java runtime");
    }

    @Test
    void theListOfAnImageOfTwoArchitecturesHasThePartsOfBoth() throws IOException {
        byte[] one = Sbom.of("svc/operator", "1", null, List.of(part("libc6?arch=amd64"), part("vertx")));
        byte[] other = Sbom.of("svc/operator", "1", null, List.of(part("libc6?arch=arm64"), part("vertx")));

        assertThat(JSON.readTree(Sbom.union(List.of(one, other)))
                        .path("components")
                        .findValuesAsText("purl"))
                .containsExactly("pkg:libc6?arch=amd64", "pkg:vertx", "pkg:libc6?arch=arm64");
    }

    private static Sbom.Part part(String name) {
        return new Sbom.Part(name, "1", "pkg:" + name);
    }

    private static List<String> names(PackageLock lock) {
        return lock.entries().stream().map(PackageLock.Entry::name).toList();
    }
}

package svc.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;

/** Small parts of images in the forms of their origins, and readers of what is built of them. */
final class SampleParts {
    static final long EPOCH = 1_767_225_600;
    static final ImageConfig CONFIG = new ImageConfig(
            "test", "1", Recipes.USER, "/svc", List.of("/svc/deno"), Map.of("B", "2", "A", "1"), List.of(8080));

    private static final ObjectMapper JSON = new ObjectMapper();

    private SampleParts() {}

    static PackageLock.Entry locked(byte[] deb) {
        return new PackageLock.Entry("libc6", Architecture.AMD64, "1", Digest.hex(deb));
    }

    static byte[] elf(int machine) {
        byte[] head = new byte[64];
        System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}, 0, head, 0, 7);
        head[18] = (byte) machine;
        return head;
    }

    static byte[] wheel(Map<String, String> files) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipArchiveOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                var entry = new ZipArchiveEntry(file.getKey());
                entry.setUnixMode(file.getKey().contains("/bin/") ? 0755 : 0644);
                zip.putArchiveEntry(entry);
                zip.write(text(file.getValue()));
                zip.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    static byte[] debianPackage(String architecture, Map<String, String> files) throws IOException {
        var tree = new FileTree();
        files.forEach((path, content) -> tree.file(path.substring(2), text(content)));
        var deb = new ByteArrayOutputStream();
        try (var ar = new ArArchiveOutputStream(deb)) {
            for (Map.Entry<String, byte[]> member : Map.of(
                            "debian-binary", text("2.0\n"),
                            "control.tar.xz", xz(control(architecture)),
                            "data.tar.xz", xz(Layer.archive(tree, EPOCH)))
                    .entrySet()) {
                ar.putArchiveEntry(new ArArchiveEntry(member.getKey(), member.getValue().length));
                ar.write(member.getValue());
                ar.closeArchiveEntry();
            }
        }
        return deb.toByteArray();
    }

    private static byte[] control(String architecture) throws IOException {
        byte[] content = text("Package: libc6\nArchitecture: " + architecture + "\n");
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(bytes)) {
            // With the name that dpkg-deb gives it.
            var entry = new TarArchiveEntry("./control", true);
            entry.setSize(content.length);
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    private static byte[] xz(byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var xz = new XZCompressorOutputStream(bytes)) {
            xz.write(content);
        }
        return bytes.toByteArray();
    }

    static JsonNode blob(Map<String, byte[]> files, JsonNode descriptor) throws IOException {
        return JSON.readTree(files.get(path(descriptor)));
    }

    static String path(JsonNode descriptor) {
        return "blobs/sha256/" + descriptor.path("digest").asText().substring("sha256:".length());
    }

    static Map<String, byte[]> untar(byte[] archive) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (var tar = new TarArchiveInputStream(new ByteArrayInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile()) {
                    files.put(entry.getName(), tar.readAllBytes());
                }
            }
        }
        return files;
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package svc.images;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * An image as one file in the OCI image layout (image-spec 1.1), which containerd imports, skopeo copies and Docker 25 and
 * later loads.
 */
public final class OciArchive {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INDEX = "application/vnd.oci.image.index.v1+json";
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    private static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

    private OciArchive() {}

    /** What an image is on one architecture. */
    record Variant(Architecture architecture, ImageConfig config, List<Layer> layers) {}

    /**
     * Writes the archive. The image of several architectures is an index of one manifest for each, of which an engine takes its
     * own.
     *
     * @param name the image's name with its tag, such as {@code svc/operator:0.1.0}
     * @return digest of the index, or of the only manifest: what a deployment pins
     */
    static String write(Path file, String name, List<Variant> variants, long epochSeconds) throws IOException {
        var blobs = new FileTree();
        List<ObjectNode> manifests = new ArrayList<>();
        for (Variant variant : variants) {
            manifests.add(manifest(variant, blobs, epochSeconds));
        }
        ObjectNode entry = manifests.getFirst();
        if (manifests.size() > 1) {
            byte[] index = index(manifests);
            put(blobs, index);
            entry = descriptor(INDEX, index);
        }
        String digest = entry.path("digest").asText();
        entry.putObject("annotations")
                .put("io.containerd.image.name", "docker.io/" + name)
                .put("org.opencontainers.image.ref.name", name.substring(name.lastIndexOf(':') + 1));
        blobs.file("index.json", index(List.of(entry)));
        blobs.file("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}".getBytes(StandardCharsets.UTF_8));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Layer.archive(blobs, epochSeconds));
        return digest;
    }

    /** Adds the blobs of the variant. @return the descriptor of its manifest */
    private static ObjectNode manifest(Variant variant, FileTree blobs, long epochSeconds) throws IOException {
        byte[] configuration = JSON.writeValueAsBytes(configuration(variant, epochSeconds));
        ObjectNode manifest = JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", MANIFEST);
        manifest.set("config", descriptor(CONFIG, configuration));
        ArrayNode listed = manifest.putArray("layers");
        put(blobs, configuration);
        for (Layer layer : variant.layers()) {
            listed.add(descriptor(LAYER, layer.blob()));
            put(blobs, layer.blob());
        }
        byte[] bytes = JSON.writeValueAsBytes(manifest);
        put(blobs, bytes);
        ObjectNode entry = descriptor(MANIFEST, bytes);
        entry.putObject("platform")
                .put("architecture", variant.architecture().label())
                .put("os", "linux");
        return entry;
    }

    private static byte[] index(List<ObjectNode> manifests) throws IOException {
        ObjectNode index = JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", INDEX);
        index.putArray("manifests").addAll(manifests);
        return JSON.writeValueAsBytes(index);
    }

    private static ObjectNode configuration(Variant variant, long epochSeconds) {
        ImageConfig config = variant.config();
        String created = Instant.ofEpochSecond(epochSeconds).toString();
        ObjectNode image = JSON.createObjectNode()
                .put("created", created)
                .put("architecture", variant.architecture().label())
                .put("os", "linux");
        ObjectNode start = image.putObject("config").put("User", config.user()).put("WorkingDir", config.workingDir());
        ArrayNode environment = start.putArray("Env");
        new TreeMap<>(config.environment()).forEach((variable, value) -> environment.add(variable + "=" + value));
        ArrayNode entrypoint = start.putArray("Entrypoint");
        config.entrypoint().forEach(entrypoint::add);
        ObjectNode ports = start.putObject("ExposedPorts");
        config.ports().forEach(port -> ports.putObject(port + "/tcp"));
        start.putObject("Labels")
                .put("org.opencontainers.image.title", config.title())
                .put("org.opencontainers.image.version", config.version())
                .put("org.opencontainers.image.created", created);
        ArrayNode ids = image.putObject("rootfs").put("type", "layers").putArray("diff_ids");
        ArrayNode history = image.putArray("history");
        for (Layer layer : variant.layers()) {
            ids.add(layer.diffId());
            history.addObject().put("created", created).put("created_by", layer.createdBy());
        }
        return image;
    }

    private static ObjectNode descriptor(String type, byte[] content) {
        return JSON.createObjectNode()
                .put("mediaType", type)
                .put("digest", Digest.of(content))
                .put("size", content.length);
    }

    /** Architectures share layers: those of jars. */
    private static void put(FileTree blobs, byte[] content) {
        blobs.entries().put("blobs/sha256/" + Digest.hexOf(Digest.of(content)), new FileTree.Entry.File(content, 0644));
    }
}

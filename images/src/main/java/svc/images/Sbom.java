package svc.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an image is made of, in CycloneDX: the libraries that the build found, and the parts that are not Java's. */
final class Sbom {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A part by its package URL. */
    record Part(String name, String version, String purl) {}

    private Sbom() {}

    /**
     * The document.
     *
     * @param libraries what the build wrote; without serial number and time, so that it stays the same; null when there are none
     */
    static byte[] of(String image, String version, Path libraries, List<Part> parts) throws IOException {
        ObjectNode document = JSON.createObjectNode()
                .put("bomFormat", "CycloneDX")
                .put("specVersion", "1.6")
                .put("version", 1);
        document.putObject("metadata")
                .putObject("component")
                .put("type", "container")
                .put("name", image)
                .put("version", version);
        ArrayNode components = document.putArray("components");
        if (libraries != null) {
            JsonNode found = JSON.readTree(Files.readAllBytes(libraries));
            document.set("specVersion", found.path("specVersion"));
            found.path("components").forEach(components::add);
        }
        for (Part part : parts) {
            components
                    .addObject()
                    .put("type", "library")
                    .put("bom-ref", part.purl())
                    .put("name", part.name())
                    .put("version", part.version())
                    .put("purl", part.purl());
        }
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(document);
    }

    /** The documents of one image's architectures as one: every part of any of them. */
    static byte[] union(List<byte[]> documents) throws IOException {
        ObjectNode all = (ObjectNode) JSON.readTree(documents.getFirst());
        Map<String, JsonNode> components = new LinkedHashMap<>();
        for (byte[] document : documents) {
            JSON.readTree(document)
                    .path("components")
                    .forEach(part -> components.put(part.path("bom-ref").asText(), part));
        }
        all.putArray("components").addAll(components.values());
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(all);
    }
}

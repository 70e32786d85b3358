package svc.functions.artifact;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A function as it was deployed: bundle and sources. The name is part of it, so that two functions never share an
 * archive and deleting one never affects the other.
 *
 * @param bundle one JavaScript module, which the runtime loads
 * @param entrypoint the path of {@code source}
 * @param importMap path of an import map among the files, or null
 * @param origins where the places of the bundle come from, for error messages; null where that is unknown
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
@JsonPropertyOrder({"bundle", "source", "files", "importMap", "entrypoint", "name", "origins"})
public record Archive(
        String bundle,
        String source,
        SortedMap<String, String> files,
        String importMap,
        String entrypoint,
        String name,
        @JsonInclude(JsonInclude.Include.NON_NULL) Origins origins) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * A source map (ECMA-426) without the texts.
     *
     * @param mappings in the map's own coding
     * @param sources files as their user named them
     */
    public record Origins(String mappings, List<String> sources) {
        public Origins {
            sources = List.copyOf(sources);
        }
    }

    public Archive {
        requireNonNull(bundle, "bundle is null");
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files == null ? Map.of() : files));
    }

    /** Deterministic: equal archives have equal bytes. */
    public byte[] bytes() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (IOException e) {
            throw new IllegalStateException("while serializing an archive", e);
        }
    }

    /** @throws IllegalStateException for bytes that are not an archive: something else wrote into the bucket */
    public static Archive read(byte[] bytes) {
        try {
            return JSON.readValue(bytes, Archive.class);
        } catch (IOException e) {
            throw new IllegalStateException("the stored object is not a function archive", e);
        }
    }
}

package svc.functions.artifact;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A function as it was deployed: what runs, and what it was made of. The name is part of it, so that no two functions
 * share an archive and the end of one never takes another's.
 *
 * @param bundle one JavaScript module, what the runtime loads
 * @param entrypoint the path under which {@code source} stood
 * @param importMap path of an import map among the files, or null
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
@JsonPropertyOrder({"bundle", "source", "files", "importMap", "entrypoint", "name"})
public record Archive(
        String bundle,
        String source,
        SortedMap<String, String> files,
        String importMap,
        String entrypoint,
        String name) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public Archive {
        requireNonNull(bundle, "bundle is null");
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files == null ? Map.of() : files));
    }

    /** The same bytes for the same archive. */
    public byte[] bytes() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (IOException e) {
            throw new IllegalStateException("an archive is made of texts", e);
        }
    }

    /** @throws IllegalStateException for bytes that are no archive: something else wrote into the bucket */
    public static Archive read(byte[] bytes) {
        try {
            return JSON.readValue(bytes, Archive.class);
        } catch (IOException e) {
            throw new IllegalStateException("what is kept as an archive is none", e);
        }
    }
}

package svc.crds.function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The hash that identifies a source: {@code sha256:} and the hex of SHA-256 over canonical JSON (keys sorted, UTF-8, no
 * spaces) of {@code {"files":{…},"importMap":…,"source":…}}, an absent import map being null. The bundler and the operator
 * compare sources by it: never change it.
 */
public final class SourceHash {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SourceHash() {}

    /** @throws IllegalArgumentException for a spec without source */
    public static String of(EdgeFunctionSpec spec) {
        if (spec.source() == null) {
            throw new IllegalArgumentException("the function " + spec.name() + " has no source");
        }
        return of(spec.source(), spec.files(), spec.importMap());
    }

    /** @param importMap path of an import map among the files, or null */
    public static String of(String source, Map<String, String> files, String importMap) {
        Map<String, Object> canonical = new TreeMap<>();
        canonical.put("files", new TreeMap<>(files));
        canonical.put("importMap", importMap);
        canonical.put("source", source);
        return "sha256:" + HexFormat.of().formatHex(sha256(json(canonical)));
    }

    private static String json(Map<String, Object> canonical) {
        try {
            return JSON.writeValueAsString(canonical);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of texts can be written as JSON", e);
        }
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

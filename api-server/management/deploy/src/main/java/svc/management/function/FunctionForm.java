package svc.management.function;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpData;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.platform.json.ForeignJson;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * A function as a multipart form: a part {@code metadata} in JSON, and for each file a part {@code file} whose file
 * name is its path. Supabase's own tools send and read functions in this format.
 *
 * @param files by path as written, including the entrypoint
 */
record FunctionForm(Metadata metadata, Map<String, String> files) {
    static final String METADATA = "metadata";
    static final String FILE = "file";

    /** One more than allowed, so that the error can report too many files. */
    private static final int MAX_PARTS = FunctionSource.MAX_FILES + 3;

    private static final ObjectMapper JSON = JsonMapper.builder(ForeignJson.factory())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** The part {@code metadata}. All fields may be null. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Metadata(
            String name, String entrypointPath, String importMapPath, Boolean verifyJwt, List<String> staticPatterns) {
        private static final Metadata NONE = new Metadata(null, null, null, null);

        Metadata(String name, String entrypointPath, String importMapPath, Boolean verifyJwt) {
            this(name, entrypointPath, importMapPath, verifyJwt, null);
        }

        /** Supabase's command line sends an empty path where there is no import map. */
        private Optional<String> importMap() {
            return Optional.ofNullable(importMapPath).filter(path -> !path.isEmpty());
        }
    }

    /**
     * @param contentType with the boundary
     * @throws ProblemException 400 for a malformed form
     */
    static FunctionForm read(byte[] body, String contentType) {
        var request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, "/", Unpooled.wrappedBuffer(body == null ? new byte[0] : body));
        request.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        HttpPostMultipartRequestDecoder decoder;
        try {
            if (!HttpPostRequestDecoder.isMultipart(request)) {
                throw malformed("The content type has no boundary.", "");
            }
            // In memory: the body has been read already, and is bounded.
            decoder = new HttpPostMultipartRequestDecoder(
                    new DefaultHttpDataFactory(false),
                    request,
                    StandardCharsets.UTF_8,
                    MAX_PARTS,
                    FunctionSource.MAX_BYTES);
        } catch (DecoderException e) {
            throw malformed("The body is not a valid multipart form.", "");
        }
        try {
            return read(decoder);
        } finally {
            decoder.destroy();
        }
    }

    private static FunctionForm read(HttpPostMultipartRequestDecoder decoder) {
        Metadata metadata = Metadata.NONE;
        Map<String, String> files = new LinkedHashMap<>();
        for (InterfaceHttpData part : decoder.getBodyHttpDatas()) {
            switch (part) {
                case HttpData data when data.getName().equals(METADATA) -> metadata = metadata(text(data));
                case FileUpload file
                when file.getName().equals(FILE) -> {
                    if (files.put(file.getFilename(), text(file)) != null) {
                        throw malformed("The file " + file.getFilename() + " occurs twice.", "/file");
                    }
                }
                default ->
                    throw malformed(
                            "The form has one part metadata and any number of parts file, with file names.",
                            "/" + part.getName());
            }
        }
        return new FunctionForm(metadata, files);
    }

    private static Metadata metadata(String json) {
        try {
            Metadata read =
                    Optional.ofNullable(JSON.readValue(json, Metadata.class)).orElse(Metadata.NONE);
            if (read.staticPatterns() != null && !read.staticPatterns().isEmpty()) {
                throw malformed(
                        "A function has no static files here: import them as modules, or keep them in a bucket.",
                        "/" + METADATA + "/static_patterns");
            }
            return read;
        } catch (JsonProcessingException e) {
            throw malformed(
                    "The metadata is a JSON object of name, entrypoint_path, import_map_path and verify_jwt.",
                    "/" + METADATA);
        }
    }

    private static String text(HttpData data) {
        try {
            return data.getString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("a part in memory cannot be read", e);
        }
    }

    /**
     * The function in the form.
     *
     * @throws ProblemException 400 with a pointer to the invalid part
     */
    FunctionSource source(String name) {
        Map<String, String> others = new LinkedHashMap<>(files);
        String entry = Optional.ofNullable(metadata.entrypointPath()).orElse(FunctionSource.USUAL_ENTRYPOINT);
        Optional<String> clean = SourcePath.clean(entry, name).path();
        String written = files.keySet().stream()
                .filter(path ->
                        clean.isPresent() && SourcePath.clean(path, name).path().equals(clean))
                .findFirst()
                .orElseThrow(() -> malformed(
                        "The entrypoint " + entry + " is not one of the files.", "/metadata/entrypoint_path"));
        return FunctionSource.of(name, clean, others.remove(written), others, metadata.importMap());
    }

    private static ProblemException malformed(String detail, String pointer) {
        return Problem.of(ProblemCode.INVALID_BODY, "The multipart form is invalid. " + detail)
                .withError(pointer, "cannot be used")
                .asException();
    }
}

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
import java.util.Map;
import java.util.Optional;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * A function as a form: a part {@code metadata} in JSON, and for each file a part {@code file} whose file name is its path.
 * It is how Supabase's own tools send and read functions.
 *
 * @param files by path as it was written, the entrypoint among them
 */
record FunctionForm(Metadata metadata, Map<String, String> files) {
    static final String METADATA = "metadata";
    static final String FILE = "file";

    /** One more than fit: so many files are told of by their number. */
    private static final int MAX_PARTS = FunctionSource.MAX_FILES + 3;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** What is said of the files. All may be null. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Metadata(String name, String entrypointPath, String importMapPath, Boolean verifyJwt) {
        private static final Metadata NONE = new Metadata(null, null, null, null);
    }

    /**
     * @param contentType with the boundary
     * @throws ProblemException 400 for what is no such form
     */
    static FunctionForm read(byte[] body, String contentType) {
        var request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, "/", Unpooled.wrappedBuffer(body == null ? new byte[0] : body));
        request.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        HttpPostMultipartRequestDecoder decoder;
        try {
            if (!HttpPostRequestDecoder.isMultipart(request)) {
                throw malformed("Its content type names no boundary.", "");
            }
            // In memory: the body is there already, and has its limit.
            decoder = new HttpPostMultipartRequestDecoder(
                    new DefaultHttpDataFactory(false),
                    request,
                    StandardCharsets.UTF_8,
                    MAX_PARTS,
                    FunctionSource.MAX_BYTES);
        } catch (DecoderException e) {
            throw malformed("It cannot be read as a form.", "");
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
                        throw malformed("The file " + file.getFilename() + " is there twice.", "/file");
                    }
                }
                default ->
                    throw malformed(
                            "Its parts are one called metadata and, with file names, any number called file.",
                            "/" + part.getName());
            }
        }
        return new FunctionForm(metadata, files);
    }

    private static Metadata metadata(String json) {
        try {
            return Optional.ofNullable(JSON.readValue(json, Metadata.class)).orElse(Metadata.NONE);
        } catch (JsonProcessingException e) {
            throw malformed(
                    "Its metadata is a JSON object of name, entrypoint_path, import_map_path and verify_jwt.",
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
     * The function that the form describes.
     *
     * @throws ProblemException 400 with a pointer to what cannot be taken
     */
    FunctionSource source(String name) {
        Map<String, String> others = new LinkedHashMap<>(files);
        String entry = Optional.ofNullable(metadata.entrypointPath()).orElse(FunctionSource.USUAL_ENTRYPOINT);
        Optional<String> clean = SourcePath.clean(entry, name).path();
        String written = files.keySet().stream()
                .filter(path ->
                        clean.isPresent() && SourcePath.clean(path, name).path().equals(clean))
                .findFirst()
                .orElseThrow(() -> malformed("There is no file " + entry + ".", "/metadata/entrypoint_path"));
        return FunctionSource.of(
                name, clean, others.remove(written), others, Optional.ofNullable(metadata.importMapPath()));
    }

    private static ProblemException malformed(String detail, String pointer) {
        return Problem.of(ProblemCode.INVALID_BODY, "This is not the form of a function. " + detail)
                .withError(pointer, "cannot be used")
                .asException();
    }
}

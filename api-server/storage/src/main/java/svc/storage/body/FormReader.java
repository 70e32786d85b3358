package svc.storage.body;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.commons.fileupload.FileItemHeaders;
import org.apache.commons.fileupload.FileItemIterator;
import org.apache.commons.fileupload.FileItemStream;
import org.apache.commons.fileupload.FileUpload;
import org.apache.commons.fileupload.FileUploadException;
import org.apache.commons.fileupload.ParameterParser;
import org.apache.commons.fileupload.RequestContext;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/**
 * A form with one file, as storage-js sends it in a browser: the fields {@code cacheControl}, {@code metadata} and
 * {@code contentType} stand before the file, or after it when the program has made the form itself.
 */
public final class FormReader {
    /** All fields together: a field of metadata may have 1 MiB. */
    private static final int MAX_FIELDS = (1 << 20) + (64 << 10);

    private static final int MAX_PART_HEADERS = 8 << 10;

    /** RFC 2046, 5.1.1. Hazard: the library takes several times its length of memory, which no project is charged with. */
    private static final int MAX_BOUNDARY = 70;

    /** A form of storage-js has four. */
    private static final int MAX_PARTS = 64;

    /** What a form has besides its file and fields: boundaries, and the heads of all parts. */
    private static final int MAX_AROUND = MAX_PARTS * (MAX_PART_HEADERS + (1 << 10));

    /** The tree of a text can take fifty times its bytes: what separates values in it is counted before it is read. */
    private static final int MAX_SEPARATORS = 20_000;

    private static final String SEPARATORS = ",:[{";

    private static final Set<String> KNOWN = Set.of("cacheControl", "metadata", "userMetadata", "contentType");

    private final FileItemIterator items;
    private final Map<String, String> fields = new HashMap<>();
    private int fieldBytes;
    private int parts;

    private FormReader(FileItemIterator items) {
        this.items = items;
    }

    public static boolean isForm(String contentType) {
        return contentType.regionMatches(true, 0, "multipart/form-data", 0, "multipart/form-data".length());
    }

    /**
     * A form's body, as the library reads it.
     *
     * @throws FileUploadException for a boundary that is longer than those of RFC 2046
     */
    public static RequestContext body(InputStream stream, String contentType) throws FileUploadException {
        var parser = new ParameterParser();
        parser.setLowerCaseNames(true);
        String boundary = parser.parse(contentType, new char[] {';', ','}).get("boundary");
        if (boundary != null && boundary.length() > MAX_BOUNDARY) {
            throw new FileUploadException("its boundary has more than " + MAX_BOUNDARY + " characters");
        }
        return new Body(stream, contentType);
    }

    /** What a form says of its file once all of it is read. */
    public record Read<T>(T stored, Optional<String> cacheControl, Optional<ObjectNode> userMetadata) {}

    /**
     * Reads the form; the file's bytes are read by {@code store}.
     *
     * @param limit of the file, in bytes; the form may have a few more
     * @param store of the file and of the fields before it
     * @throws StorageError for what is no such form, or has no end
     */
    public static <T> Read<T> read(InputStream body, String contentType, long limit, Function<Upload, T> store) {
        try {
            var upload = new FormUpload();
            upload.setPartHeaderSizeMax(MAX_PART_HEADERS);
            var reader = new FormReader(upload.getItemIterator(
                    body(new LimitedBody(body, limit + MAX_FIELDS + MAX_AROUND, StorageError::tooLarge), contentType)));
            return reader.read(store);
        } catch (FileUploadException | IOException e) {
            throw StorageError.invalidRequest("The form cannot be read: " + e.getMessage());
        }
    }

    private <T> Read<T> read(Function<Upload, T> store) throws FileUploadException, IOException {
        Optional<T> stored = Optional.empty();
        while (items.hasNext()) {
            FileItemStream item = items.next();
            if (++parts > MAX_PARTS) {
                throw StorageError.invalidRequest("The form has more than " + MAX_PARTS + " parts");
            }
            boolean file = !item.isFormField() || item.getFieldName().isEmpty();
            if (!file) {
                field(item);
            } else if (stored.isPresent()) {
                throw StorageError.invalidRequest("The form has more than one file");
            } else {
                stored = Optional.of(store.apply(file(item)));
            }
        }
        return new Read<>(
                stored.orElseThrow(() -> StorageError.invalidRequest("The form has no file")),
                cacheControl(),
                metadata());
    }

    private Upload file(FileItemStream item) throws IOException {
        Optional<String> type =
                Optional.ofNullable(fields.get("contentType")).or(() -> Optional.ofNullable(item.getContentType()));
        return new Upload(item.openStream(), type, cacheControl(), metadata());
    }

    private void field(FileItemStream item) throws IOException {
        // Not closed: that would read all of a field that has no end.
        byte[] value = item.openStream().readNBytes(MAX_FIELDS - fieldBytes + 1);
        fieldBytes += value.length;
        if (fieldBytes > MAX_FIELDS) {
            throw StorageError.metadataTooLarge();
        }
        if (KNOWN.contains(item.getFieldName())) {
            fields.put(item.getFieldName(), new String(value, StandardCharsets.UTF_8));
        }
    }

    private Optional<String> cacheControl() {
        return Optional.ofNullable(fields.get("cacheControl")).map(CacheControl::ofSeconds);
    }

    private Optional<ObjectNode> metadata() {
        return Optional.ofNullable(fields.getOrDefault("userMetadata", fields.get("metadata")))
                .flatMap(FormReader::bounded);
    }

    private static Optional<ObjectNode> bounded(String json) {
        if (json.chars()
                        .filter(c -> SEPARATORS.indexOf(c) >= 0)
                        .limit(MAX_SEPARATORS + 1L)
                        .count()
                > MAX_SEPARATORS) {
            throw StorageError.metadataTooLarge();
        }
        return StorageCall.readObject(json);
    }

    /** The file's field has the empty name in storage-js, which the library takes for no field. */
    private static final class FormUpload extends FileUpload {
        @Override
        protected String getFieldName(FileItemHeaders headers) {
            return Objects.requireNonNullElse(super.getFieldName(headers), "");
        }
    }

    private record Body(InputStream stream, String contentType) implements RequestContext {
        @Override
        public String getCharacterEncoding() {
            return "UTF-8";
        }

        @Override
        public String getContentType() {
            return contentType;
        }

        @Override
        @Deprecated
        public int getContentLength() {
            return -1;
        }

        @Override
        public InputStream getInputStream() {
            return stream;
        }
    }
}

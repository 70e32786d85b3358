package svc.storage.body;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.fileupload.FileItemHeaders;
import org.apache.commons.fileupload.FileItemIterator;
import org.apache.commons.fileupload.FileItemStream;
import org.apache.commons.fileupload.FileUpload;
import org.apache.commons.fileupload.FileUploadException;
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

    private final FileItemIterator items;
    private final Map<String, String> fields = new HashMap<>();
    private int fieldBytes;

    private FormReader(FileItemIterator items) {
        this.items = items;
    }

    public static boolean isForm(String contentType) {
        return contentType.regionMatches(true, 0, "multipart/form-data", 0, "multipart/form-data".length());
    }

    /** What a form says of its file once all of it is read. */
    public record Read<T>(T stored, Optional<String> cacheControl, Optional<ObjectNode> userMetadata) {}

    /**
     * Reads the form; the file's bytes are read by {@code store}.
     *
     * @param store of the file and of the fields before it
     * @throws StorageError for what is no such form
     */
    public static <T> Read<T> read(InputStream body, String contentType, Function<Upload, T> store) {
        try {
            var upload = new FormUpload();
            upload.setPartHeaderSizeMax(MAX_PART_HEADERS);
            var reader = new FormReader(upload.getItemIterator(new Body(body, contentType)));
            return reader.read(store);
        } catch (FileUploadException | IOException e) {
            throw StorageError.invalidRequest("The form cannot be read: " + e.getMessage());
        }
    }

    private <T> Read<T> read(Function<Upload, T> store) throws FileUploadException, IOException {
        Optional<T> stored = Optional.empty();
        while (items.hasNext()) {
            FileItemStream item = items.next();
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
        byte[] value;
        try (InputStream stream = item.openStream()) {
            value = stream.readNBytes(MAX_FIELDS - fieldBytes + 1);
        }
        fieldBytes += value.length;
        if (fieldBytes > MAX_FIELDS) {
            throw StorageError.metadataTooLarge();
        }
        fields.put(item.getFieldName(), new String(value, StandardCharsets.UTF_8));
    }

    private Optional<String> cacheControl() {
        return Optional.ofNullable(fields.get("cacheControl")).map(CacheControl::ofSeconds);
    }

    private Optional<ObjectNode> metadata() {
        return Optional.ofNullable(fields.getOrDefault("userMetadata", fields.get("metadata")))
                .flatMap(StorageCall::readObject);
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

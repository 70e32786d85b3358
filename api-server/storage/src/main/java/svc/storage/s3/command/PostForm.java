package svc.storage.s3.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.fileupload.FileItemIterator;
import org.apache.commons.fileupload.FileItemStream;
import org.apache.commons.fileupload.FileUpload;
import org.apache.commons.fileupload.FileUploadException;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.ByteBudget.Verdict;
import svc.storage.body.FormReader;
import svc.storage.body.LimitedBody;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.s3.xml.S3Error;

/**
 * A form up to its file, which is the last field. Hazard: its signature is one of the fields, so all of them are a
 * stranger's. They are bounded in bytes and number, and charged as they arrive.
 *
 * @param fields by lower-case name
 * @param fileName as the browser gives it; empty without one
 */
record PostForm(Map<String, String> fields, String fileName, InputStream file) {
    /** All fields together: S3's own limit is 20 KB. */
    private static final int MAX_FIELDS = 64 << 10;

    /** Everything before the file: fields, boundaries and the heads of parts. */
    private static final int MAX_BEFORE_FILE = 2 * MAX_FIELDS;

    private static final int MAX_COUNT = 100;
    private static final int MAX_PART_HEADERS = 8 << 10;

    /** A field is held as bytes and as text. */
    private static final int COPIES = 2;

    private static final String FILE_NAME = "${filename}";

    /** @param memory that holds the fields */
    static PostForm read(InputStream body, String type, ByteBudget.Permit memory) {
        try {
            var upload = new FileUpload();
            upload.setPartHeaderSizeMax(MAX_PART_HEADERS);
            var limited = new LimitedBody(body, MAX_BEFORE_FILE, S3Error::messageTooLong);
            FileItemIterator items = upload.getItemIterator(FormReader.body(limited, type));
            Map<String, String> fields = new HashMap<>();
            int left = MAX_FIELDS;
            for (int count = 0; items.hasNext(); count++) {
                FileItemStream item = items.next();
                String name =
                        Objects.requireNonNullElse(item.getFieldName(), "").toLowerCase(Locale.ROOT);
                if (name.equals("file")) {
                    String file = Optional.ofNullable(item.getName()).orElse("");
                    limited.lift();
                    return new PostForm(fields, file.substring(file.lastIndexOf('/') + 1), item.openStream());
                }
                // Not closed: that would read all of a field that has no end.
                byte[] value = item.openStream().readNBytes(left + 1);
                left -= value.length + name.length();
                if (left < 0 || count == MAX_COUNT) {
                    throw S3Error.messageTooLong();
                }
                if (memory.grow(COPIES * (long) (value.length + name.length())) != Verdict.GRANTED) {
                    throw StorageError.slowDown();
                }
                fields.put(name, new String(value, StandardCharsets.UTF_8));
            }
        } catch (FileUploadException | IOException e) {
            throw S3Error.invalidRequest("The form cannot be read: " + e.getMessage());
        }
        throw S3Error.invalidArgument("POST requires exactly one file upload per request.");
    }

    String required(String name) {
        String value = fields.get(name);
        if (value == null || value.isEmpty()) {
            throw S3Error.invalidArgument("Bucket POST must contain a field named '" + name + "'.");
        }
        return value;
    }

    /**
     * The key, the name of the file filled in.
     *
     * @throws StorageError for one that is longer than a key may be, before it is built
     */
    String key() {
        String pattern = required("key");
        long length = pattern.length();
        for (int at = pattern.indexOf(FILE_NAME); at >= 0; at = pattern.indexOf(FILE_NAME, at + FILE_NAME.length())) {
            length += fileName.length() - FILE_NAME.length();
        }
        if (length > ObjectName.MAX_UNNORMALIZED) {
            throw StorageError.invalidKey(pattern.substring(0, Math.min(pattern.length(), ObjectName.MAX_BYTES)));
        }
        return pattern.replace(FILE_NAME, fileName);
    }
}

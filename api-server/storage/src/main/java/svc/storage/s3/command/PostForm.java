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
import svc.storage.body.FormReader;
import svc.storage.s3.xml.S3Error;

/**
 * A form up to its file, which is the last field.
 *
 * @param fields by lower-case name
 * @param fileName as the browser gives it; empty without one
 */
record PostForm(Map<String, String> fields, String fileName, InputStream file) {
    /** All fields together: S3's own limit is 20 KB. */
    private static final int MAX_FIELDS = 64 << 10;

    private static final int MAX_COUNT = 100;
    private static final int MAX_PART_HEADERS = 8 << 10;

    static PostForm read(InputStream body, String type) {
        try {
            var upload = new FileUpload();
            upload.setPartHeaderSizeMax(MAX_PART_HEADERS);
            FileItemIterator items = upload.getItemIterator(FormReader.body(body, type));
            Map<String, String> fields = new HashMap<>();
            int left = MAX_FIELDS;
            while (items.hasNext()) {
                FileItemStream item = items.next();
                String name =
                        Objects.requireNonNullElse(item.getFieldName(), "").toLowerCase(Locale.ROOT);
                if (name.equals("file")) {
                    String file = Optional.ofNullable(item.getName()).orElse("");
                    return new PostForm(fields, file.substring(file.lastIndexOf('/') + 1), item.openStream());
                }
                try (InputStream stream = item.openStream()) {
                    byte[] value = stream.readNBytes(left + 1);
                    left -= value.length + name.length();
                    if (left < 0 || fields.size() == MAX_COUNT) {
                        throw S3Error.messageTooLong();
                    }
                    fields.put(name, new String(value, StandardCharsets.UTF_8));
                }
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
}

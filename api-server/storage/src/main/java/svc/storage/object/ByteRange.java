package svc.storage.object;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;
import svc.storage.http.StorageError;

/**
 * The part of a file that a request wants (RFC 9110, 14.2): one range of bytes. Several ranges are ignored, as that section
 * allows, and answered with the whole file.
 *
 * @param last inclusive
 */
public record ByteRange(long first, long last) {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /**
     * Empty for a header of another unit or of several ranges.
     *
     * @throws StorageError for what is no range, or lies outside of the file
     */
    public static Optional<ByteRange> parse(String header, long size) {
        String text = header.replace(" ", "");
        if (!text.startsWith("bytes=") || text.indexOf(',') >= 0) {
            return Optional.empty();
        }
        Matcher matcher = RANGE.matcher(text);
        if (!matcher.matches() || matcher.group(1).isEmpty() && matcher.group(2).isEmpty()) {
            throw StorageError.invalidRange(size);
        }
        if (matcher.group(1).isEmpty()) {
            long count = Math.min(size, Long.parseLong(matcher.group(2)));
            return of(size - count, size - 1, size);
        }
        long first = Long.parseLong(matcher.group(1));
        long last = matcher.group(2).isEmpty() ? size - 1 : Math.min(size - 1, Long.parseLong(matcher.group(2)));
        return of(first, last, size);
    }

    private static Optional<ByteRange> of(long first, long last, long size) {
        if (first > last || first >= size) {
            throw StorageError.invalidRange(size);
        }
        return Optional.of(new ByteRange(first, last));
    }

    /** In bytes. */
    public long length() {
        return last - first + 1;
    }
}

package svc.storage.resumable;

import com.google.re2j.Pattern;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/** Reads the headers of TUS; each that is wrong is refused with its name. */
final class TusHeaders {
    static final String VERSION = "1.0.0";
    static final String EXTENSIONS =
            "creation,creation-with-upload,creation-defer-length,termination,expiration," + "concatenation,checksum";
    static final String MEDIA_TYPE = "application/offset+octet-stream";

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final String FINAL = "final;";
    private static final String PARTIAL = "partial";

    /** More than clients send at once to one host. */
    private static final int MAX_PARTIALS = 100;

    /** As HTTP has dates; the day of the month with two digits. */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    private TusHeaders() {}

    /** How an upload belongs to others. */
    sealed interface Concat {
        /** To none. */
        record None() implements Concat {}

        /** Its bytes become part of a file. */
        record Partial() implements Concat {}

        /**
         * It is made of these.
         *
         * @param header as the client sent it
         */
        record Final(String header, List<UUID> partials) implements Concat {}
    }

    static void requireVersion(StorageCall call) {
        if (call.header("tus-resumable").filter(VERSION::equals).isEmpty()) {
            throw TusError.version();
        }
    }

    /** Whether the body has bytes of the upload. */
    static boolean hasBytes(StorageCall call) {
        return call.header("content-type")
                .filter(type -> type.strip().equalsIgnoreCase(MEDIA_TYPE))
                .isPresent();
    }

    /**
     * The declared length of a new upload; empty when it follows later.
     *
     * @throws StorageError without either header, or with both
     */
    static OptionalLong declared(StorageCall call) {
        OptionalLong length = length(call);
        Optional<String> deferred = call.header("upload-defer-length");
        if (deferred.isPresent() && !deferred.get().equals("1")) {
            throw TusError.header("Upload-Defer-Length must be 1");
        }
        if (length.isPresent() == deferred.isPresent()) {
            throw TusError.header("either Upload-Length or Upload-Defer-Length is needed");
        }
        return length;
    }

    static OptionalLong length(StorageCall call) {
        return number(call, "Upload-Length");
    }

    static long offset(StorageCall call) {
        return number(call, "Upload-Offset").orElseThrow(() -> TusError.header("Upload-Offset is needed"));
    }

    private static OptionalLong number(StorageCall call, String name) {
        Optional<String> value = call.header(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!NUMBER.matcher(value.get()).matches()) {
            throw TusError.header(name + " must be a whole number, not negative");
        }
        return OptionalLong.of(Long.parseLong(value.get()));
    }

    static Concat concat(StorageCall call) {
        String value = call.header("upload-concat").orElse("").strip();
        if (value.isEmpty()) {
            return new Concat.None();
        }
        if (value.equals(PARTIAL)) {
            return new Concat.Partial();
        }
        if (!value.startsWith(FINAL)) {
            throw TusError.header("Upload-Concat must be partial, or final; with URLs");
        }
        List<UUID> ids = partials(value);
        if (ids.size() > MAX_PARTIALS || Set.copyOf(ids).size() < ids.size()) {
            throw TusError.header("Upload-Concat may have " + MAX_PARTIALS + " URLs, each once");
        }
        return new Concat.Final(value, ids);
    }

    /** The uploads that a final one is made of, in their order. */
    static List<UUID> partials(String header) {
        List<UUID> ids = new ArrayList<>();
        for (String url : BLANKS.split(header.substring(FINAL.length()).strip())) {
            ids.add(id(url.substring(url.lastIndexOf('/') + 1)));
        }
        return ids;
    }

    /** @throws StorageError for what is no id of an upload: there is none of that name */
    static UUID id(String text) {
        return StorageCall.uuid(text).orElseThrow(TusError::unknown);
    }

    static String date(Instant instant) {
        return DATE.format(instant.atOffset(ZoneOffset.UTC));
    }
}

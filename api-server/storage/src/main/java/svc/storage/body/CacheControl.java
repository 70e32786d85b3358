package svc.storage.body;

import com.google.re2j.Pattern;

/** What caches may do with a file, as clients declare it. */
public final class CacheControl {
    /** Where nothing is declared. */
    public static final String NONE = "no-cache";

    private static final Pattern SECONDS = Pattern.compile("\\d{1,12}");
    private static final Pattern SAFE = Pattern.compile("[\\x20-\\x7e]{1,256}");

    private CacheControl() {}

    /** Of a form: seconds, or directives as they are. */
    public static String ofSeconds(String value) {
        return SECONDS.matcher(value.strip()).matches() ? "max-age=" + value.strip() : ofHeader(value);
    }

    /** Of a header; {@link #NONE} for what cannot be sent in one. */
    public static String ofHeader(String value) {
        return SAFE.matcher(value).matches() ? value : NONE;
    }
}

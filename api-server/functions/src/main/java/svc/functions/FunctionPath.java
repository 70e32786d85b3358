package svc.functions;

import com.google.re2j.Pattern;
import java.util.Optional;

/**
 * A path below {@code /functions/v1}.
 *
 * @param function the name of the function
 * @param forward the path for its process: the name and what follows, as Supabase's functions receive it
 */
record FunctionPath(String function, String forward) {
    /** A segment that cannot be a function's name, because names begin with a letter. */
    static final String RUNTIME = "/_runtime/";

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    /**
     * Empty if the first segment is not a valid name, unencoded: an encoded name would be a second spelling, and rules
     * that compare spellings must see only one.
     *
     * @param path begins with a slash
     */
    static Optional<FunctionPath> of(String path) {
        int end = path.indexOf('/', 1);
        String name = path.substring(1, end < 0 ? path.length() : end);
        return NAME.matcher(name).matches() ? Optional.of(new FunctionPath(name, path)) : Optional.empty();
    }
}

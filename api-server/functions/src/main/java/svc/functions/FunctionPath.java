package svc.functions;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A path below {@code /functions/v1}.
 *
 * @param function the name of the function
 * @param forward what its process is asked for: the name again and what follows, as Supabase's functions see it
 */
record FunctionPath(String function, String forward) {
    /** The segment that no function's name can be: names begin with a letter. */
    static final String RUNTIME = "/_runtime/";

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    /**
     * Empty where the first segment is not a name, character by character: an encoded name is another spelling of one, and
     * rules that are judged by spelling have to see the only one.
     *
     * @param path begins with a slash
     */
    static Optional<FunctionPath> of(String path) {
        int end = path.indexOf('/', 1);
        String name = path.substring(1, end < 0 ? path.length() : end);
        return NAME.matcher(name).matches() ? Optional.of(new FunctionPath(name, path)) : Optional.empty();
    }
}

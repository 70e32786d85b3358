package svc.management.supabase;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;
import svc.database.name.SupabaseRef;

/** Paths of the control plane that name a project by the 20 letters of {@link SupabaseRef}. */
public final class SpelledPath {
    private static final Pattern FORM =
            Pattern.compile("(/v1/(?:projects|branches)/)([a-z]{20})(/.*)?", Pattern.DOTALL);

    private SpelledPath() {}

    /** The path with the ref itself; empty for any other path, and for 20 letters that name no ref. */
    public static Optional<String> withRef(String path) {
        Matcher matcher = FORM.matcher(path);
        return matcher.matches()
                ? SupabaseRef.ref(matcher.group(2))
                        .map(ref -> matcher.group(1)
                                + ref
                                + Optional.ofNullable(matcher.group(3)).orElse(""))
                : Optional.empty();
    }
}

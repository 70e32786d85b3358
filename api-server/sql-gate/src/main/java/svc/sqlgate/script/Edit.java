package svc.sqlgate.script;

/**
 * One replacement in a script.
 *
 * @param start where it begins in the caller's text, in UTF-16 units
 * @param end where the caller's text goes on; equal to {@code start} for an insertion
 * @param replacement what is sent instead; empty to leave the part out
 */
public record Edit(int start, int end, String replacement) {
    public Edit {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("an edit from " + start + " to " + end);
        }
    }

    /** How much longer the sent text is because of it, in UTF-16 units. */
    int growth() {
        return replacement.length() - (end - start);
    }
}

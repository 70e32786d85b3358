package svc.sqlgate.script;

/**
 * Replaces one part of a script.
 *
 * @param start where it begins in the caller's text, in UTF-16 units
 * @param end where the caller's text goes on; equal to {@code start} for an insertion
 * @param text what is sent instead; empty to leave the part out
 */
public record Replacement(int start, int end, String text) {
    public Replacement {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("a replacement from " + start + " to " + end);
        }
    }

    /** How much longer the sent text is because of it, in UTF-16 units. */
    int growth() {
        return text.length() - (end - start);
    }
}

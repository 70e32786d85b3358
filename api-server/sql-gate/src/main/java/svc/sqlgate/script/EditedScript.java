package svc.sqlgate.script;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import svc.sqlgate.parser.SourceText;

/**
 * A caller's script with everything replaced that the platform replaces, and the way back: the server's messages name
 * places of the text it was sent, the caller knows only its own.
 */
public final class EditedScript {
    private final String original;
    private final String text;
    private final List<Replacement> edits;

    private EditedScript(String original, List<Replacement> edits) {
        this.original = original;
        this.edits = edits;
        this.text = applied(original, edits);
    }

    /** A script that is sent as it came. */
    public static EditedScript unchanged(String original) {
        return new EditedScript(original, List.of());
    }

    /**
     * @param edits in any order, none over another
     * @throws OverlappingEditsException when two of them overlap or one lies outside of the script
     */
    public static EditedScript of(String original, Collection<Replacement> edits) throws OverlappingEditsException {
        List<Replacement> sorted = edits.stream()
                .sorted(Comparator.comparingInt(Replacement::start).thenComparingInt(Replacement::end))
                .toList();
        int free = 0;
        for (Replacement edit : sorted) {
            if (edit.start() < free || edit.end() > original.length()) {
                throw new OverlappingEditsException(edit + " overlaps another or lies outside of the script");
            }
            free = edit.end();
        }
        return new EditedScript(original, sorted);
    }

    /**
     * The same with more replacements of the caller's text; what was replaced inside of one of them is dropped.
     *
     * @param wider in any order, none over another, each around earlier ones or apart from them
     * @throws OverlappingEditsException when they are not
     */
    public EditedScript replacing(Collection<Replacement> wider) throws OverlappingEditsException {
        if (wider.isEmpty()) {
            return this;
        }
        List<Replacement> all = new ArrayList<>(wider);
        edits.stream()
                .filter(edit ->
                        wider.stream().noneMatch(whole -> whole.start() <= edit.start() && edit.end() <= whole.end()))
                .forEach(all::add);
        return of(original, all);
    }

    /**
     * The same with replacements of the text that would be sent.
     *
     * @param edits places in {@link #text()}; in any order, none over another, none that begins or ends inside of an earlier
     *     replacement
     * @throws OverlappingEditsException when they do
     */
    public EditedScript changed(Collection<Replacement> edits) throws OverlappingEditsException {
        return replacing(edits.stream()
                .map(edit -> new Replacement(originalUnit(edit.start()), originalUnit(edit.end()), edit.text()))
                .toList());
    }

    /** The caller's text. */
    public String original() {
        return original;
    }

    /** The text that is sent. */
    public String text() {
        return text;
    }

    /**
     * The part of the sent text that stands for a part of the caller's.
     *
     * @param start in UTF-16 units of the caller's text; in no replacement
     * @param end exclusive
     */
    public String sentFor(int start, int end) {
        int from = firstFrom(start);
        List<Replacement> within = edits.subList(from, Math.max(from, firstFrom(end + 1))).stream()
                .filter(edit -> edit.end() <= end)
                .map(edit -> new Replacement(edit.start() - start, edit.end() - start, edit.text()))
                .toList();
        return applied(original.substring(start, end), within);
    }

    /** The index of the first replacement that begins there or later. */
    private int firstFrom(int start) {
        int low = 0;
        int high = edits.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (edits.get(middle).start() < start) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The replacements in their order. */
    public List<Replacement> edits() {
        return edits;
    }

    /**
     * Where a UTF-16 index of the sent text lies in the caller's; anything inside of a replacement lies where the
     * replaced part begins.
     */
    public int originalUnit(int unit) {
        int growth = 0;
        for (Replacement edit : edits) {
            int start = edit.start() + growth;
            if (unit < start) {
                break;
            }
            if (unit < start + edit.text().length()) {
                return edit.start();
            }
            growth += edit.growth();
        }
        return Math.min(Math.max(unit - growth, 0), original.length());
    }

    /** The caller's place for a position that the server names: 1-based, in characters of the sent text. */
    public SourceText.Place placeOf(int position) {
        int unit = new SourceText(text).unitOfPosition(position);
        return new SourceText(original).placeOfUnit(originalUnit(unit));
    }

    private static String applied(String original, List<Replacement> edits) {
        if (edits.isEmpty()) {
            return original;
        }
        var built = new StringBuilder(original.length() + 64 * edits.size());
        int copied = 0;
        for (Replacement edit : edits) {
            built.append(original, copied, edit.start()).append(edit.text());
            copied = edit.end();
        }
        return built.append(original, copied, original.length()).toString();
    }
}

package svc.realtime.row;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import svc.realtime.row.ChangedRow.Type;

/** The object {@code data} of a change, as Supabase's clients read it. */
public final class ChangeJson {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    /** 2000-01-01 UTC, from which the log counts. */
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private static final String TOO_LARGE = "Error 413: Payload Too Large";
    private static final String NO_KEY = "Error 400: Bad Request, no primary key";
    private static final String UNAUTHORIZED = "Error 401: Unauthorized";

    private ChangeJson() {}

    /**
     * What a group of callers may see of a change. Equal views have equal JSON.
     *
     * @param selectable columns with the privilege SELECT
     * @param select the columns that the binding asks for, the primary key aside; empty stands for all
     * @param keyOfOld whether row security hides all of the row before the change but its key: no policy judges that row
     */
    public record View(Set<String> selectable, Optional<List<String>> select, boolean keyOfOld) {}

    /** Why a change cannot be shown; empty when it can. */
    public static Optional<String> obstacle(ChangedRow row, Set<String> selectable) {
        List<String> key = row.table().primaryKey();
        if (row.type() != Type.DELETE && key.isEmpty()) {
            return Optional.of(NO_KEY);
        }
        boolean readable = row.type() == Type.DELETE ? !selectable.isEmpty() : selectable.containsAll(key);
        return readable ? Optional.empty() : Optional.of(UNAUTHORIZED);
    }

    /** A change of which nothing may be shown but that it happened. */
    public static Buffer refused(ChangedRow row, String schema, String obstacle) {
        var out = new StringBuilder(200);
        head(row, schema, out);
        out.append(",\"columns\":[]");
        if (row.type() != Type.DELETE) {
            out.append(",\"record\":{}");
        }
        if (row.type() != Type.INSERT) {
            out.append(",\"old_record\":{}");
        }
        return end(out, Optional.of(obstacle));
    }

    /**
     * A change.
     *
     * @param schema as applications call it
     * @param reread JSON of values that the log had not, by column
     */
    public static Buffer of(ChangedRow row, String schema, View view, Map<String, String> reread) {
        var out = new StringBuilder(512);
        head(row, schema, out);
        Predicate<RowValue> visible = value -> shows(row, view, value.name());
        columns(row, view, out);
        if (row.type() != Type.DELETE) {
            out.append(",\"record\":");
            object(row.record(), visible, rereadOf(row, view, reread), out);
        }
        if (row.type() != Type.INSERT) {
            out.append(",\"old_record\":");
            object(row.old(), visible.and(value -> !view.keyOfOld() || row.isPrimaryKey(value)), Map.of(), out);
        }
        return end(out, row.change().shortened() ? Optional.of(TOO_LARGE) : Optional.empty());
    }

    private static Map<String, String> rereadOf(ChangedRow row, View view, Map<String, String> reread) {
        return reread.entrySet().stream()
                .filter(entry -> shows(row, view, entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static boolean shows(ChangedRow row, View view, String column) {
        return view.selectable().contains(column)
                && (view.select().isEmpty()
                        || view.select().get().contains(column)
                        || row.table().primaryKey().contains(column));
    }

    private static void head(ChangedRow row, String schema, StringBuilder out) {
        out.append("{\"schema\":");
        JsonValues.quote(schema, out);
        out.append(",\"table\":");
        JsonValues.quote(row.table().name(), out);
        out.append(",\"commit_timestamp\":\"");
        TIME.formatTo(
                EPOCH.plusSeconds(Math.floorDiv(row.change().commitMicros(), 1_000_000L))
                        .plusNanos(Math.floorMod(row.change().commitMicros(), 1_000_000L) * 1000),
                out);
        out.append("\",\"type\":\"").append(row.type()).append('"');
    }

    private static void columns(ChangedRow row, View view, StringBuilder out) {
        out.append(",\"columns\":[");
        boolean first = true;
        for (var column : row.table().columns()) {
            if (shows(row, view, column.name())) {
                out.append(first ? "{\"name\":" : ",{\"name\":");
                first = false;
                JsonValues.quote(column.name(), out);
                out.append(",\"type\":");
                JsonValues.quote(column.type(), out);
                out.append('}');
            }
        }
        out.append(']');
    }

    private static void object(
            List<RowValue> values, Predicate<RowValue> visible, Map<String, String> more, StringBuilder out) {
        out.append('{');
        int start = out.length();
        for (RowValue value : values) {
            if (visible.test(value)) {
                name(value.name(), start, out);
                value.text()
                        .ifPresentOrElse(
                                text -> JsonValues.write(value.column().dataType(), text, out),
                                () -> out.append("null"));
            }
        }
        more.forEach((name, json) -> {
            name(name, start, out);
            out.append(json);
        });
        out.append('}');
    }

    private static void name(String name, int start, StringBuilder out) {
        if (out.length() > start) {
            out.append(',');
        }
        JsonValues.quote(name, out);
        out.append(':');
    }

    private static Buffer end(StringBuilder out, Optional<String> error) {
        out.append(",\"errors\":");
        error.ifPresentOrElse(
                text -> {
                    out.append('[');
                    JsonValues.quote(text, out);
                    out.append(']');
                },
                () -> out.append("null"));
        return Buffer.buffer(out.append('}').toString().getBytes(StandardCharsets.UTF_8));
    }
}

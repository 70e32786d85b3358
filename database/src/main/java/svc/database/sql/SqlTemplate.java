package svc.database.sql;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQL text with typed places, in psql's notation: <code>:"name"</code> takes an {@link Identifier}, <code>:'name'</code> a
 * {@link Literal}, <code>:{name}</code> a {@link SqlFragment}. A place that is filled with another type, not filled, or
 * filled but not there is a fault of the program and is refused, so a literal cannot end up where a name belongs.
 */
public final class SqlTemplate {
    private static final Pattern PLACE = Pattern.compile("(?<!:):(?:\"([a-z0-9_]+)\"|'([a-z0-9_]+)'|\\{([a-z0-9_]+)})");

    /** Text that is sent as it stands, followed by a place; the last piece has none. */
    private record Piece(String text, Class<? extends SqlValue> type, String place) {}

    private final List<Piece> pieces;
    private final Set<String> places;

    private SqlTemplate(String text) {
        List<Piece> found = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        Matcher matcher = PLACE.matcher(text);
        int from = 0;
        while (matcher.find()) {
            Class<? extends SqlValue> type = matcher.group(1) != null
                    ? Identifier.class
                    : matcher.group(2) != null ? Literal.class : SqlFragment.class;
            String name = matcher.group().replaceAll("[^a-z0-9_]", "");
            found.add(new Piece(text.substring(from, matcher.start()), type, name));
            names.add(name);
            from = matcher.end();
        }
        found.add(new Piece(text.substring(from), null, null));
        this.pieces = List.copyOf(found);
        this.places = Set.copyOf(names);
    }

    public static SqlTemplate of(@CompileTimeConstant final String text) {
        return new SqlTemplate(text);
    }

    /**
     * A template of the class path, next to {@code anchor}. A first block of lines that begin with {@code --} is for the
     * reader of the file and is not sent.
     */
    public static SqlTemplate resource(Class<?> anchor, @CompileTimeConstant final String name) {
        try (InputStream stream = anchor.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalArgumentException("no resource " + name + " next to " + anchor.getName());
            }
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return new SqlTemplate(text.replaceFirst("\\A(?:--[^\\n]*\\n)+", "").strip());
        } catch (IOException e) {
            throw new UncheckedIOException("while reading the SQL resource " + name, e);
        }
    }

    /** The names of the places, in no order. */
    public Set<String> places() {
        return places;
    }

    /** Fills every place; the keys of {@code values} must be exactly {@link #places()}. */
    public SqlFragment bind(Map<String, ? extends SqlValue> values) {
        if (!values.keySet().equals(places)) {
            throw new IllegalArgumentException(
                    "places " + new TreeSet<>(places) + " were given " + new TreeSet<>(values.keySet()));
        }
        StringBuilder sql = new StringBuilder();
        StringBuilder printable = new StringBuilder();
        for (Piece piece : pieces) {
            sql.append(piece.text());
            printable.append(piece.text());
            if (piece.place() != null) {
                SqlValue value = values.get(piece.place());
                if (!piece.type().isInstance(value)) {
                    throw new IllegalArgumentException("place " + piece.place() + " takes "
                            + piece.type().getSimpleName() + ", not "
                            + value.getClass().getSimpleName());
                }
                sql.append(value.sql());
                printable.append(value.printable());
            }
        }
        return SqlFragment.ofRendered(sql.toString(), printable.toString());
    }
}

package svc.database.sql;

import static java.util.Objects.requireNonNull;

/**
 * The name of one database object. It is always written in double quotes, so it is never folded to lower case and never
 * read as a keyword.
 *
 * @param name the name as the catalog holds it, without quotes: 1 to 63 bytes of UTF-8. PostgreSQL cuts longer names
 *     off without an error, so that two of them could meet in one object; they are refused here instead.
 */
public record Identifier(String name) implements SqlValue, Comparable<Identifier> {
    /** NAMEDATALEN - 1 of a server built with the default. */
    public static final int MAX_BYTES = 63;

    public Identifier {
        requireNonNull(name, "name is null");
        int bytes = SqlText.utf8Length(name, "identifier");
        if (bytes == 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException("an identifier has 1 to " + MAX_BYTES + " bytes, this one has " + bytes);
        }
    }

    public static Identifier of(String name) {
        return new Identifier(name);
    }

    /** Whether PostgreSQL can have this name at full length. */
    public static boolean fits(String name) {
        try {
            int bytes = SqlText.utf8Length(name, "identifier");
            return bytes > 0 && bytes <= MAX_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** {@code "this"."member"}. */
    public SqlFragment dot(Identifier member) {
        return SqlFragment.ofRendered(sql() + "." + member.sql());
    }

    @Override
    public String sql() {
        return '"' + SqlText.doubled(name, '"') + '"';
    }

    @Override
    public String printable() {
        return sql();
    }

    @Override
    public boolean secret() {
        return false;
    }

    @Override
    public int compareTo(Identifier other) {
        return name.compareTo(other.name);
    }

    /** The quoted form. */
    @Override
    public String toString() {
        return sql();
    }
}

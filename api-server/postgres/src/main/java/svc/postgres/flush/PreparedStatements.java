package svc.postgres.flush;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.postgresql.core.Parser;
import svc.postgres.SqlError;

/**
 * The prepared statements of one connection, least recently used ones evicted first.
 *
 * <p>Names cannot be guessed. Code of a tenant that knew one could run {@code DEALLOCATE name; PREPARE name AS …} and put
 * its own statement in the place of ours, and the next caller's request would run it, with that caller's values. PREPARE
 * and DEALLOCATE have no privilege, and the list of prepared statements is closed to tenants, so the names are what keeps
 * ours apart. DEALLOCATE ALL needs none, but then our next statement is missed by the server and the connection is
 * replaced.
 */
final class PreparedStatements {
    /** A backend keeps the plan of each, some 20 to 100 KB, for each of the pool's connections. */
    private static final int MAX_STATEMENTS = 64;

    /**
     * Of the texts together, in characters. Callers choose the texts, and a plan takes many times the memory of its text,
     * here and in the backend.
     */
    static final int MAX_TOTAL_LENGTH = 128 * 1024;

    /** A longer text is not prepared: it is one of a kind, a list of conditions or of columns. */
    static final int MAX_LENGTH = 16 * 1024;

    /** PostgreSQL keeps the types of an EXPLAIN's parameters whatever becomes of the columns, and has no way to say so. */
    private static final String EXPLAIN = "EXPLAIN ";

    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final List<String> OUTDATED = List.of("0A", "22", "42", "XX");

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 12;

    private final String prefix;
    private final Map<String, String> names = new LinkedHashMap<>(MAX_STATEMENTS * 2, 0.75f, true);
    /** Of each round without an answer yet, the oldest first. */
    private final Deque<Deque<Requested>> rounds = new ArrayDeque<>();

    /** Names to deallocate beside those of evicted statements. */
    private final List<String> dropped = new ArrayList<>();

    private long count;
    private long totalLength;

    /**
     * A statement that the server was asked to prepare and has not confirmed: after an error it skips the rest of a
     * round.
     */
    private record Requested(String text, String name) {}

    PreparedStatements() {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        this.prefix = "svc_" + HexFormat.of().formatHex(random) + "_";
    }

    /** Begins another round: what is requested from now on is answered after it, see {@link Conversation}. */
    void beginRound() {
        rounds.addLast(new ArrayDeque<>());
    }

    /** The name of a prepared statement; empty for one that is to be prepared under {@link #request}'s name. */
    Optional<String> name(String text) {
        return Optional.ofNullable(names.get(text));
    }

    /** Whether a text is worth a name. */
    static boolean keeps(String text) {
        return text.length() <= MAX_LENGTH && !text.startsWith(EXPLAIN);
    }

    /** Whether the server was asked to prepare it in a round that may still fail. */
    boolean isRequested(String text) {
        return rounds.stream()
                .flatMap(Deque::stream)
                .anyMatch(requested -> requested.text().equals(text));
    }

    /** Chooses a name for a statement that the server is being asked to prepare. */
    String request(String text) {
        String name = prefix + count++;
        rounds.getLast().add(new Requested(text, name));
        return name;
    }

    /** The server has prepared the next requested statement. */
    void confirmed() {
        Optional.ofNullable(rounds.peekFirst()).map(Deque::poll).ifPresent(this::keep);
    }

    private void keep(Requested prepared) {
        if (names.put(prepared.text(), prepared.name()) == null) {
            totalLength += prepared.text().length();
        }
    }

    /** The server has answered a round: what it has not confirmed by now, it has not prepared. */
    void endRound() {
        rounds.pollFirst();
    }

    /**
     * Whether PostgreSQL may refuse a statement with such an error because it was prepared before DDL: it has parameters of
     * types that columns or functions no longer have, or another result ({@code 0A000}). A value that is not one of the
     * former type (class 22) and a former type that is gone ({@code XX000}) are of that kind; a missing privilege is not.
     */
    static boolean mayBeOutdated(String sqlState) {
        return !INSUFFICIENT_PRIVILEGE.equals(sqlState) && OUTDATED.stream().anyMatch(sqlState::startsWith);
    }

    /** The statement may be outdated: the next use prepares it again. */
    void drop(String text) {
        Optional.ofNullable(names.remove(text)).ifPresent(name -> {
            totalLength -= text.length();
            dropped.add(name);
        });
    }

    /** Forgets all requests: nothing was sent. */
    void discardRequests() {
        rounds.clear();
    }

    /** Removes the least recently used statements beyond the limits; returns the names to deallocate. */
    List<String> evict() {
        if (!tooMany() && dropped.isEmpty()) {
            return List.of();
        }
        List<String> leaving = new ArrayList<>(dropped);
        dropped.clear();
        Iterator<Map.Entry<String, String>> oldest = names.entrySet().iterator();
        while (tooMany()) {
            Map.Entry<String, String> evicted = oldest.next();
            leaving.add(evicted.getValue());
            totalLength -= evicted.getKey().length();
            oldest.remove();
        }
        return leaving;
    }

    private boolean tooMany() {
        return names.size() > MAX_STATEMENTS || totalLength > MAX_TOTAL_LENGTH;
    }

    /** Length of the kept texts together, in characters. */
    long totalLength() {
        return totalLength;
    }

    /** Replaces the question marks of a text by the server's numbered parameters. */
    static String numbered(String text) {
        try {
            return Parser.parseJdbcSql(text, true, true, false, false, false).getFirst().nativeSql;
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }
}

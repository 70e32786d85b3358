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

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 12;

    private final String prefix;
    private final Map<String, String> names = new LinkedHashMap<>(MAX_STATEMENTS * 2, 0.75f, true);
    /** Of each round without an answer yet, the oldest first. */
    private final Deque<Deque<Requested>> rounds = new ArrayDeque<>();

    private long count;

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
        Optional.ofNullable(rounds.peekFirst())
                .map(Deque::poll)
                .ifPresent(prepared -> names.put(prepared.text(), prepared.name()));
    }

    /** The server has answered a round: what it has not confirmed by now, it has not prepared. */
    void endRound() {
        rounds.pollFirst();
    }

    /** Forgets all requests: nothing was sent. */
    void discardRequests() {
        rounds.clear();
    }

    /** Removes the least recently used statements beyond the limit; returns the names to deallocate. */
    List<String> evict() {
        if (names.size() <= MAX_STATEMENTS) {
            return List.of();
        }
        List<String> leaving = new ArrayList<>();
        Iterator<String> oldest = names.values().iterator();
        while (names.size() > MAX_STATEMENTS) {
            leaving.add(oldest.next());
            oldest.remove();
        }
        return leaving;
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

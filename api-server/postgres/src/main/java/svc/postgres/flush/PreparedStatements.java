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
import org.postgresql.core.Parser;
import svc.postgres.SqlError;

/**
 * What one connection has prepared, the statements used last.
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
    /** Of each round that the server has not ended, the one it is at first. */
    private final Deque<Deque<Asked>> rounds = new ArrayDeque<>();

    private long count;

    /** A statement that the server was asked to prepare and has not confirmed: after an error it reads no further. */
    private record Asked(String text, String name) {}

    PreparedStatements() {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        this.prefix = "svc_" + HexFormat.of().formatHex(random) + "_";
    }

    /** What is asked from now on belongs to another round, see {@link Conversation}. */
    void round() {
        rounds.addLast(new ArrayDeque<>());
    }

    /** The name of a prepared statement; null when it has to be prepared under {@link #ask}'s. */
    String name(String text) {
        return names.get(text);
    }

    /** Whether the server was asked to prepare it in a round that may fail yet. */
    boolean isAsked(String text) {
        return rounds.stream()
                .flatMap(Deque::stream)
                .anyMatch(asked -> asked.text().equals(text));
    }

    /** A name for a statement that the server is being asked to prepare. */
    String ask(String text) {
        String name = prefix + count++;
        rounds.getLast().add(new Asked(text, name));
        return name;
    }

    /** The server has prepared the next of those that it was asked for. */
    void confirmed() {
        Deque<Asked> round = rounds.peekFirst();
        Asked next = round == null ? null : round.poll();
        if (next != null) {
            names.put(next.text(), next.name());
        }
    }

    /** The server is done with a round: what it has not confirmed by now, it has not prepared. */
    void settle() {
        rounds.pollFirst();
    }

    /** Nothing was sent. */
    void forgetAsked() {
        rounds.clear();
    }

    /** Names of those that were not used for longest and are too many; the server is to be told to forget them. */
    List<String> surplus() {
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

    /** A text with question marks as the server reads it. */
    static String numbered(String text) {
        try {
            return Parser.parseJdbcSql(text, true, true, false, false, false).getFirst().nativeSql;
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }
}

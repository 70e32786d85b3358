package svc.management.postgres;

import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions by their BackendKeyData: 63 random bits that a CancelRequest repeats, on another connection. */
final class CancelKeys {
    private final SecureRandom random = new SecureRandom();
    private final Map<Integer, Entry> sessions = new ConcurrentHashMap<>();

    /** The two numbers of BackendKeyData. */
    record Key(int process, int secret) {}

    private record Entry(int secret, ClientSession session) {}

    Key add(ClientSession session) {
        int secret = random.nextInt();
        int process;
        do {
            process = random.nextInt(1, Integer.MAX_VALUE);
        } while (sessions.putIfAbsent(process, new Entry(secret, session)) != null);
        return new Key(process, secret);
    }

    void remove(Key key) {
        sessions.remove(key.process());
    }

    /** Empty for a key of no session. */
    Optional<ClientSession> find(Key key) {
        return Optional.ofNullable(sessions.get(key.process()))
                .filter(entry -> entry.secret() == key.secret())
                .map(Entry::session);
    }
}

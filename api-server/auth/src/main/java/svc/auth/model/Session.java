package svc.auth.model;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A row of {@code auth.sessions}.
 *
 * @param level the authenticator assurance level, {@code aal1} or {@code aal2}
 * @param methods the newest first; empty where only the session's existence was asked for
 * @param refreshCounter of the newest refresh token; tokens of lower counters are old
 * @param refreshed the last refresh
 */
public record Session(
        UUID id,
        UUID userId,
        String level,
        List<Method> methods,
        long refreshCounter,
        Timestamp created,
        Optional<Timestamp> refreshed) {
    public static final String AAL1 = "aal1";
    public static final String AAL2 = "aal2";

    public Session {
        methods = List.copyOf(methods);
    }

    /**
     * One entry of the claim {@code amr}.
     *
     * @param name {@code password}, {@code otp}, {@code totp} …
     * @param seconds since 1970
     */
    public record Method(String name, long seconds) {
        /** Whether it is a second factor. */
        public boolean isFactor() {
            return name.equals("totp") || name.startsWith("mfa/");
        }
    }

    public boolean isAal2() {
        return level.equals(AAL2);
    }
}

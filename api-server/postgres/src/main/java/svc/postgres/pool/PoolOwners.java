package svc.postgres.pool;

import java.util.function.Function;

/**
 * Whose share of a {@link SharedPool} the connections of a login are.
 *
 * @param project names it
 * @param organization names the project's
 */
public record PoolOwners<K>(Function<K, String> project, Function<K, String> organization) {
    /** One for all logins, in a pool without shares. */
    static <K> PoolOwners<K> one() {
        return new PoolOwners<>(login -> "", login -> "");
    }
}

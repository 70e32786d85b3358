package svc.postgres;

import java.util.Properties;
import org.postgresql.PGProperty;
import org.postgresql.plugin.AuthenticationPlugin;
import org.postgresql.plugin.AuthenticationRequestType;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Proves a password and never tells it: SCRAM and MD5 are answered, a server that asks for the password itself gets none,
 * with TLS or without, because nothing but {@code verify-full} says who it is. Public for the driver, which makes it by
 * its name.
 */
public final class GuardedPassword implements AuthenticationPlugin {
    private final Properties properties;

    /** @param properties of the connection, as the driver hands them over */
    public GuardedPassword(Properties properties) {
        this.properties = properties;
    }

    @Override
    public char[] getPassword(AuthenticationRequestType type) throws PSQLException {
        return switch (type) {
            case SASL, MD5_PASSWORD ->
                PGProperty.PASSWORD.getOrDefault(properties).toCharArray();
            case CLEARTEXT_PASSWORD, GSS ->
                throw new PSQLException(
                        "the server asks for a password in a way that is not safe", PSQLState.CONNECTION_REJECTED);
        };
    }
}

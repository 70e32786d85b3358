package svc.postgres;

import java.util.Properties;
import org.postgresql.PGProperty;
import org.postgresql.plugin.AuthenticationPlugin;
import org.postgresql.plugin.AuthenticationRequestType;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Answers SCRAM and MD5 challenges and never sends the password itself, with TLS or without, because only {@code
 * verify-full} authenticates the server. Public for the driver, which creates it by its name.
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
                        "the server asks for an authentication method that would reveal the password",
                        PSQLState.CONNECTION_REJECTED);
        };
    }
}

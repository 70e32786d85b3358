package svc.postgres.script;

import com.ongres.scram.client.ScramClient;
import com.ongres.scram.common.StringPreparation;
import com.ongres.scram.common.exception.ScramException;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Authenticates by SCRAM-SHA-256 without channel binding. A server that asks for less, or does not prove that it knows
 * the password's verifier, gets nothing: neither password nor script.
 */
final class ServerLogin {
    private static final String MECHANISM = "SCRAM-SHA-256";

    /** PostgreSQL takes the user from the startup message and ignores the one here. */
    private static final String IGNORED_USER = "*";

    /** PostgreSQL's default is 4096. The hash of more rounds is a server's way to waste our processor time. */
    private static final int MAX_ITERATIONS = 100_000;

    private static final int OK = 0;
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final WireConnection wire;
    private final ScramClient scram;
    private boolean proven;

    ServerLogin(WireConnection wire, String password) {
        this.wire = wire;
        this.scram = ScramClient.builder()
                .advertisedMechanisms(List.of(MECHANISM))
                .username(IGNORED_USER)
                .password(password.toCharArray())
                .stringPreparation(StringPreparation.POSTGRESQL_PREPARATION)
                .build();
    }

    /** Answers one authentication request. */
    void answer(ByteBuf content) throws IOException {
        int request = content.readInt();
        String text = content.toString(StandardCharsets.UTF_8);
        switch (request) {
            case SASL -> first(text);
            case SASL_CONTINUE -> proof(text);
            case SASL_FINAL -> verify(text);
            case OK -> {
                if (!proven) {
                    throw new IOException("the server let the login in without a password");
                }
            }
            default -> throw new IOException("the server asks for an authentication method other than SCRAM");
        }
    }

    private void first(String mechanisms) throws IOException {
        if (!List.of(mechanisms.split("\0")).contains(MECHANISM)) {
            throw new IOException("the server does not offer " + MECHANISM);
        }
        wire.send(out ->
                out.saslInitialResponse(MECHANISM, scram.clientFirstMessage().toString()));
    }

    private void proof(String challenge) throws IOException {
        try {
            if (scram.serverFirstMessage(challenge).getIterationCount() > MAX_ITERATIONS) {
                throw new IOException("the server asks for more than " + MAX_ITERATIONS + " iterations of SCRAM");
            }
            String proof = scram.clientFinalMessage().toString();
            wire.send(out -> out.saslResponse(proof));
        } catch (ScramException | IllegalStateException | IllegalArgumentException e) {
            throw new IOException("the server's challenge is not one of SCRAM", e);
        }
    }

    private void verify(String last) throws IOException {
        try {
            scram.serverFinalMessage(last);
            proven = true;
        } catch (ScramException | IllegalStateException | IllegalArgumentException e) {
            throw new IOException("the server could not prove that it knows the login", e);
        }
    }
}

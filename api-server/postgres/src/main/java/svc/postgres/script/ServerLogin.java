package svc.postgres.script;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Proves a login by SCRAM. Insists on it: a server that asks for less gets nothing, neither password nor script. */
final class ServerLogin {
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final WireConnection wire;
    private final ScramLogin scram;
    private boolean proven;

    ServerLogin(WireConnection wire, String password) {
        this.wire = wire;
        this.scram = new ScramLogin(password);
    }

    /** Answers one authentication request. */
    void answer(ByteBuffer content) throws IOException {
        int request = content.getInt();
        String text = StandardCharsets.UTF_8.decode(content).toString();
        switch (request) {
            case SASL -> first(text);
            case SASL_CONTINUE -> wire.send('p', scram.answer(text).getBytes(StandardCharsets.UTF_8));
            case SASL_FINAL -> {
                scram.verify(text);
                proven = true;
            }
            case 0 -> {
                if (!proven) {
                    throw new IOException("the server let the login in without a password");
                }
            }
            default -> throw new IOException("the server asks for a password in a way that is not safe");
        }
    }

    private void first(String mechanisms) throws IOException {
        if (!List.of(mechanisms.split("\0")).contains(ScramLogin.MECHANISM)) {
            throw new IOException("the server does not offer " + ScramLogin.MECHANISM);
        }
        byte[] first = scram.first().getBytes(StandardCharsets.UTF_8);
        byte[] mechanism = (ScramLogin.MECHANISM + "\0").getBytes(StandardCharsets.UTF_8);
        wire.send(
                'p',
                ByteBuffer.allocate(mechanism.length + 4 + first.length)
                        .put(mechanism)
                        .putInt(first.length)
                        .put(first)
                        .array());
    }
}

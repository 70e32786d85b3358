package svc.management.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocket;

/** The beginning of a connection, up to a user and a password. Before them a client can make us keep a few kilobytes. */
final class Startup {
    private static final int PROTOCOL_3 = 3;
    private static final int CANCEL = 80_877_102;
    private static final int SSL = 80_877_103;
    private static final int GSS = 80_877_104;
    private static final int INPUT_BUFFER = 8 << 10;
    private static final int MAX_PASSWORD = 1024;

    private final ClientSocket socket;
    private final Optional<TlsIdentity> tls;
    private InputStream in;
    private OutputStream out;
    private boolean secure;

    Startup(ClientSocket socket, Optional<TlsIdentity> tls) throws IOException {
        this.socket = socket;
        this.tls = tls;
        this.in = socket.plain().getInputStream();
        this.out = socket.plain().getOutputStream();
    }

    /** The request that a connection begins with. */
    sealed interface Request {
        /** To cancel the statement of another connection. */
        record Cancel(CancelKeys.Key key) implements Request {}

        /**
         * To sign in.
         *
         * @param parameters of the startup message, by name
         */
        record Session(Map<String, String> parameters, InputStream in, Answers answers) implements Request {
            String user() {
                return parameters.getOrDefault("user", "");
            }
        }
    }

    Answers answers() {
        return new Answers(out, socket::answering);
    }

    /** @throws ProtocolException for bytes that are no such request */
    Request request() throws IOException, ProtocolException, SignIn.RefusedException {
        // SSLRequest and GSSENCRequest may come once each.
        for (int i = 0; i < 3; i++) {
            Fields first = new Fields(new MessageReader(in).startup());
            int code = first.int32();
            switch (code) {
                case SSL -> secured();
                case GSS -> out.write('N');
                case CANCEL -> {
                    return new Request.Cancel(new CancelKeys.Key(first.int32(), first.int32()));
                }
                default -> {
                    return session(code, first);
                }
            }
        }
        throw ProtocolException.violation("too many requests for encryption");
    }

    private void secured() throws IOException, ProtocolException {
        if (secure) {
            throw ProtocolException.violation("TLS is in use already");
        }
        if (tls.isEmpty()) {
            out.write('N');
            return;
        }
        // Bytes that came with the request would be taken for encrypted ones.
        if (in.available() > 0) {
            throw ProtocolException.violation("bytes came behind the request for TLS");
        }
        out.write('S');
        Socket plain = socket.plain();
        SSLSocket encrypted = tls.get().secure(plain);
        encrypted.startHandshake();
        in = encrypted.getInputStream();
        out = encrypted.getOutputStream();
        secure = true;
    }

    private Request session(int protocol, Fields first) throws IOException, ProtocolException, SignIn.RefusedException {
        if (protocol >>> 16 != PROTOCOL_3) {
            throw new ProtocolException("0A000", "only version 3 of the protocol is spoken");
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        while (first.more()) {
            String name = first.text();
            if (name.isEmpty()) {
                break;
            }
            parameters.put(name, first.text());
        }
        if (tls.isPresent() && !secure) {
            throw refused("28000", "the connection must use TLS", "Connect with sslmode=require, or verify-full.");
        }
        refuse(parameters);
        Answers answers = answers();
        List<String> unknown = new ArrayList<>();
        parameters.keySet().stream().filter(name -> name.startsWith("_pq_.")).forEach(unknown::add);
        if ((protocol & 0xffff) > 0 || !unknown.isEmpty()) {
            answers.negotiateProtocolVersion(unknown);
        }
        return new Request.Session(parameters, new BufferedInputStream(in, INPUT_BUFFER), answers);
    }

    private static void refuse(Map<String, String> parameters) throws SignIn.RefusedException {
        String replication = parameters.getOrDefault("replication", "false").toLowerCase(Locale.ROOT);
        if (!List.of("false", "off", "no", "0").contains(replication)) {
            throw refused("0A000", "replication is not supported", "Use realtime to follow changes.");
        }
        if (!StartupSettings.areSettings(parameters.getOrDefault("options", ""))) {
            throw refused(
                    "0A000",
                    "of the options of a session only settings are supported",
                    "Write -c name=value in PGOPTIONS, or in options.");
        }
        String encoding = parameters
                .getOrDefault("client_encoding", "UTF8")
                .replace("'", "")
                .toUpperCase(Locale.ROOT);
        if (!List.of("UTF8", "UTF-8", "UNICODE", "AUTO").contains(encoding)) {
            throw refused(
                    "0A000", "the encoding of a session is UTF8", "Set client_encoding, or PGCLIENTENCODING, to UTF8.");
        }
    }

    private static SignIn.RefusedException refused(String sqlState, String message, String hint) {
        return new SignIn.RefusedException(ErrorAnswer.fatal(sqlState, message).with('H', hint));
    }

    /** Asks for the password. */
    static String password(Request.Session session) throws IOException, ProtocolException {
        session.answers().authenticationCleartextPassword();
        session.answers().flush();
        try {
            return new MessageReader(session.in())
                    .next(Startup::requirePassword)
                    .fields()
                    .text();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("while the password was read");
        }
    }

    private static void requirePassword(char type, int bytes) throws ProtocolException {
        if (type != 'p') {
            throw ProtocolException.violation("a password was asked for");
        }
        if (bytes > MAX_PASSWORD) {
            throw ProtocolException.violation("no password is that long");
        }
    }
}

package svc.management.postgres;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.management.query.SessionCalls;
import svc.management.query.SqlAuthorization;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.platform.clientip.CallerAddress;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.problem.ProblemException;

/**
 * Listens for clients that speak PostgreSQL's protocol, and bounds their number before and after they have signed in. Each has
 * a virtual thread of its own. Off without a port.
 */
@ApplicationScoped
public class PostgresEndpoint {
    private static final Logger LOG = Logger.getLogger(PostgresEndpoint.class);
    private static final int BACKLOG = 50;
    private static final long TICK_MILLIS = 500;

    private final PostgresEndpointConfig config;
    private final ApiConfig api;
    private final EndpointParts parts;
    private final SignIn signIn;
    private final ServerVersions versions;
    private final Vertx vertx;
    private final EndpointBudgets budgets;
    private final Set<ClientSocket> open = ConcurrentHashMap.newKeySet();
    private final CancelKeys sessions = new CancelKeys();
    private Optional<ServerSocket> listening = Optional.empty();
    private Optional<TlsIdentity> tls = Optional.empty();
    private Optional<ScheduledExecutorService> timer = Optional.empty();
    private Optional<Future<?>> watch = Optional.empty();

    PostgresEndpoint(
            PostgresEndpointConfig config,
            ApiConfig api,
            SqlAuthorization authorization,
            SessionCalls calls,
            HistoryAnswers history,
            SignIn signIn,
            ServerVersions versions,
            Vertx vertx,
            MeterRegistry metrics) {
        this.config = config;
        this.api = api;
        this.signIn = signIn;
        this.versions = versions;
        this.vertx = vertx;
        this.budgets = new EndpointBudgets(config, metrics);
        this.parts = new EndpointParts(
                config, authorization, calls, history, budgets, new StatementRates(config, System::nanoTime));
    }

    void start(@Observes StartupEvent event) {
        if (config.port().isEmpty() || !api.roles().contains(ServerRole.CONTROL)) {
            return;
        }
        try {
            listen(config.port().getAsInt());
        } catch (IOException e) {
            throw new UncheckedIOException("while starting the PostgreSQL endpoint", e);
        }
    }

    private void listen(int port) throws IOException {
        InetAddress address = InetAddress.getByName(config.host());
        if (config.certificate().isPresent() != config.key().isPresent()) {
            throw new IllegalStateException("svc.api.postgres.certificate and .key belong together: set both");
        }
        if (config.certificate().isPresent()) {
            var identity = new TlsIdentity(
                    vertx,
                    Path.of(config.certificate().get()),
                    Path.of(config.key().orElseThrow()));
            identity.read();
            tls = Optional.of(identity);
        } else if (!address.isLoopbackAddress() && !config.withoutTls()) {
            throw new IllegalStateException("svc.api.postgres.host is not loopback, and there is no certificate: set"
                    + " svc.api.postgres.certificate and .key");
        }
        var server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(address, port), BACKLOG);
        listening = Optional.of(server);
        ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("postgres-endpoint-clock").factory());
        watch = Optional.of(ticks.scheduleAtFixedRate(
                () -> open.forEach(socket -> socket.closeIfLate(System.nanoTime())),
                TICK_MILLIS,
                TICK_MILLIS,
                TimeUnit.MILLISECONDS));
        timer = Optional.of(ticks);
        Thread.ofPlatform().daemon().name("postgres-endpoint").start(() -> accept(server));
        LOG.infof(
                "the PostgreSQL endpoint listens at %s:%d%s",
                config.host(), port(), tls.isPresent() ? " with TLS" : "");
    }

    /** The port that it listens at; only while it does. */
    public int port() {
        return listening
                .orElseThrow(() -> new IllegalStateException("the PostgreSQL endpoint is off"))
                .getLocalPort();
    }

    /** Whether it listens. */
    public boolean on() {
        return listening.isPresent();
    }

    void stop(@Observes ShutdownEvent event) {
        listening.ifPresent(server -> {
            try {
                server.close();
            } catch (IOException e) {
                LOG.debugf(e, "while closing the PostgreSQL endpoint");
            }
        });
        watch.ifPresent(ticks -> ticks.cancel(false));
        timer.ifPresent(ScheduledExecutorService::shutdownNow);
        open.forEach(ClientSocket::close);
    }

    private void accept(ServerSocket server) {
        while (!server.isClosed()) {
            try {
                admit(server.accept());
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOG.warnf("a connection could not be accepted: %s", e.toString());
                    pause();
                }
            }
        }
    }

    /** Out of descriptors, for example: the loop must not spin. */
    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void admit(Socket accepted) {
        String address = accepted.getInetAddress().getHostAddress();
        String network = CallerAddress.network(address);
        var socket = new ClientSocket(accepted, config.login(), config.stalled());
        Permit place = budgets.signIns(network).open();
        if (place.grow(1) != Verdict.GRANTED) {
            socket.close();
            return;
        }
        open.add(socket);
        Thread.ofVirtual().name("postgres-client").start(() -> {
            var connection = new Connection(socket, address, network, place);
            try {
                connection.serve();
            } catch (IOException e) {
                LOG.tracef("a connection from %s ended: %s", network, e.toString());
            } catch (RuntimeException e) {
                LOG.errorf(e, "while serving a PostgreSQL client");
            } finally {
                connection.close();
            }
        });
    }

    /** One connection from its first byte on. */
    private final class Connection {
        private final ClientSocket socket;
        private final String address;
        private final String network;

        /** Held until the client has signed in. */
        private final Permit unauthenticated;

        Connection(ClientSocket socket, String address, String network, Permit unauthenticated) {
            this.socket = socket;
            this.address = address;
            this.network = network;
            this.unauthenticated = unauthenticated;
        }

        void serve() throws IOException {
            socket.plain().setTcpNoDelay(true);
            socket.plain().setKeepAlive(true);
            var startup = new Startup(socket, tls);
            try {
                switch (startup.request()) {
                    case Startup.Request.Cancel cancel -> cancel(cancel.key());
                    case Startup.Request.Session session -> serve(session);
                }
            } catch (ProtocolException e) {
                refuse(startup, ErrorAnswer.fatal(e.sqlState(), e.getMessage()));
            } catch (SignIn.RefusedException e) {
                refuse(startup, e.answer());
            }
        }

        private void refuse(Startup startup, ErrorAnswer why) throws IOException {
            Answers answers = startup.answers();
            answers.error(why);
            answers.flush();
        }

        private void cancel(CancelKeys.Key key) throws SignIn.RefusedException {
            signIn.requireAttempts(network);
            sessions.find(key).ifPresentOrElse(ClientSession::cancel, () -> signIn.failed(network));
        }

        private void serve(Startup.Request.Session request)
                throws IOException, ProtocolException, SignIn.RefusedException {
            signIn.requireAttempts(network);
            String password = Startup.password(request);
            SignedIn in = signIn.signIn(request.user(), password, network);
            try (Permit place = budgets.sessions(in).open()) {
                if (place.grow(1) != Verdict.GRANTED) {
                    throw new SignIn.RefusedException(ErrorAnswer.fatal(
                                    "53300", "too many connections of this project, of its organisation, or in all")
                            .with(
                                    'H',
                                    "Close one. A project has " + config.perProject() + ", an organisation "
                                            + budgets.sessionsOfOrganization() + "."));
                }
                unauthenticated.close();
                session(request, in);
            }
        }

        private void session(Startup.Request.Session request, SignedIn in) throws IOException, SignIn.RefusedException {
            String version = versions.of(in);
            Answers answers = request.answers();
            var session = new ClientSession(in, Optional.of(address), parts, answers, socket);
            CancelKeys.Key key = sessions.add(session);
            try {
                Map<String, String> parameters = new LinkedHashMap<>(ServerVersions.parameters(version, in.readOnly()));
                parameters.putAll(session.begin(StartupSettings.of(request.parameters())));
                answers.authenticationOk();
                for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                    answers.parameterStatus(parameter.getKey(), parameter.getValue());
                }
                answers.backendKeyData(key);
                answers.readyForQuery('I');
                answers.flush();
                socket.answered();
                session.serve(request.in());
            } catch (ProblemException e) {
                throw new SignIn.RefusedException(ErrorAnswer.of(e.problem()).asFatal());
            } finally {
                sessions.remove(key);
            }
        }

        void close() {
            unauthenticated.close();
            socket.close();
            open.remove(socket);
        }
    }
}

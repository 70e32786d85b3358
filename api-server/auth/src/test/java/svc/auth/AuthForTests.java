package svc.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.redis.client.Redis;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import svc.auth.captcha.Captcha;
import svc.auth.hook.AuthHooks;
import svc.auth.hook.HookLimits;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.MailForTests;
import svc.auth.mail.MailLimits;
import svc.auth.password.LeakedPasswords;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.provider.ProviderCatalogue;
import svc.auth.provider.Providers;
import svc.auth.rows.AuthTransactions;
import svc.auth.secret.FactorSecrets;
import svc.auth.token.ProjectTokens;
import svc.crds.project.ActiveSecret;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.auth.CaptchaProvider;
import svc.crds.project.auth.ProviderType;
import svc.crds.reference.SecretKeyReference;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.clientip.CallerAddress;
import svc.platform.egress.AddressRules;
import svc.platform.egress.EgressClient;
import svc.platform.ratelimit.RateLimit;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

/** The auth service over HTTP, on real projects, and what it needs: Redis, a mail server, providers, a clock. */
public final class AuthForTests implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();

    /** {@code PasswordHashesTest} has the real cost; here it would be most of the time. */
    private static final PasswordHashes.Cost QUICK = new PasswordHashes.Cost(64, 1);

    private static final URI NOWHERE = URI.create("http://127.0.0.1:9/");

    private final EmbeddedRedis redis = EmbeddedRedis.forTests();
    private final TestingProjects projects;
    private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();
    private final Map<String, Tenant> lost = new ConcurrentHashMap<>();
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();

    /** Allows only this address of the machine. */
    private final EgressClient egress =
            new EgressClient(vertx, new AddressRules(List.of(), List.of("127.0.0.1/32")), Duration.ofSeconds(5));

    private final RedisAPI limits;
    private final MailForTests mails;
    private final TenantTransactions transactions;
    private final AuthServerForTests server;
    private final MovableClock clock = new MovableClock();

    /** For calls to providers, which time out in some tests. */
    private final EgressClient providerEgress =
            new EgressClient(vertx, new AddressRules(List.of(), List.of("127.0.0.1/32")), Duration.ofSeconds(4));

    private final ProviderForTests provider = new ProviderForTests(clock);

    public AuthForTests(TestingProjects projects) {
        this(projects, MailForTests.none());
    }

    /** @param mails the mail server; closed together with this */
    public AuthForTests(TestingProjects projects, MailForTests mails) {
        this(projects, mails, NOWHERE, QUICK);
    }

    /** @param elsewhere the address of third-party services: captchas, leaked passwords */
    public AuthForTests(TestingProjects projects, URI elsewhere) {
        this(projects, MailForTests.none(), elsewhere, QUICK);
    }

    /** @param cost of passwords */
    AuthForTests(TestingProjects projects, PasswordHashes.Cost cost) {
        this(projects, MailForTests.none(), NOWHERE, cost);
    }

    private AuthForTests(TestingProjects projects, MailForTests mails, URI elsewhere, PasswordHashes.Cost cost) {
        this.projects = projects;
        this.mails = mails;
        this.limits = new RedisAPI(io.vertx.redis.client.RedisAPI.api(Redis.createClient(vertx, redis.url())));
        this.transactions = new TenantTransactions(
                new ProjectPools(PoolSettings.defaults().withCap(20), projects.roots()), Duration.ofSeconds(15));
        var tokens = new ProjectTokens(projects.purposeRoots());
        var secrets = new ProjectSecrets(projects.purposeRoots());
        var hooks = new AuthHooks(
                transactions, egress, secrets, new HookLimits(Duration.ofSeconds(3), Duration.ofSeconds(4)), clock);
        var dependencies = new AuthDependencies(
                transactions,
                tokens,
                new PasswordHashes(cost),
                new PasswordRules(new LeakedPasswords(egress, elsewhere.resolve("range/"))),
                new FactorSecrets(projects.purposeRoots()),
                new AuthLimits(limits, Clock.systemUTC(), new SimpleMeterRegistry()),
                hooks,
                new Providers(catalogue(), providerEgress, secrets, Duration.ofSeconds(4), clock),
                new Captcha(
                        egress,
                        new ProjectSecrets(projects.purposeRoots()),
                        Map.of(
                                CaptchaProvider.HCAPTCHA,
                                elsewhere.resolve("hcaptcha"),
                                CaptchaProvider.TURNSTILE,
                                elsewhere.resolve("turnstile"))),
                mails.mailer(new ProjectSecrets(projects.purposeRoots()), new MailLimits(this::limit), hooks),
                clock);
        var handler = new AuthRequestHandler(
                RouteTable.of(UseCases.of(dependencies)), new CallerAddress(List.of("127.0.0.1")));
        this.server = new AuthServerForTests(vertx, handler, tokens, tenants::get);
    }

    /** The public providers, all on this machine. */
    private ProviderCatalogue catalogue() {
        return ProviderCatalogue.at(Map.of(
                ProviderType.GOOGLE, provider.issuer(),
                ProviderType.APPLE, provider.issuer(),
                ProviderType.AZURE, provider.home() + "/common",
                ProviderType.GIT_HUB, provider.home(),
                ProviderType.GIT_LAB, provider.home()));
    }

    ProviderForTests provider() {
        return provider;
    }

    /** The platform's rate limit. */
    private RateLimit limit(RateLimit.Rule rule) {
        return new RateLimit(limits, rule, Clock.systemUTC(), new SimpleMeterRegistry());
    }

    /** A project with a service of these settings, whose tables the operator has created. */
    public Tenant project(String ref, String authSpec) {
        try {
            Tenant tenant = projects.project(ref).withAuth(JSON.readValue(authSpec, AuthSpec.class));
            tenants.put(ref, tenant);
            projects.completeAuth(tenant);
            return tenant;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void settings(String ref, String authSpec) {
        try {
            tenants.put(ref, tenants.get(ref).withAuth(JSON.readValue(authSpec, AuthSpec.class)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on nothing listens at the project's database address. */
    void loseDatabase(String ref) {
        Tenant there = tenants.get(ref);
        lost.put(ref, there);
        var nowhere = new Tenant.DatabaseAddress(there.database().name(), "jdbc:postgresql://127.0.0.1:9/nothing");
        tenants.put(
                ref,
                new Tenant(
                                ref,
                                there.names(),
                                there.scope(),
                                there.masterKeyVersion(),
                                there.keyVersions(),
                                nowhere,
                                there.organization(),
                                there.restUrl(),
                                there.rest())
                        .withAuth(there.auth()));
    }

    void findDatabase(String ref) {
        tenants.put(ref, lost.remove(ref));
    }

    /** Redis is unavailable from now on. */
    void loseRedis() {
        redis.close();
    }

    /** Runs SQL as the project's owner in its own schema. */
    public void asOwner(String ref, String sql) {
        Tenant tenant = tenants.get(ref);
        projects.asOwner(tenant, "SET search_path = " + tenant.names().schemaName() + ";" + sql);
    }

    /** The name of the project's auth schema. */
    public String auth(String ref) {
        return tenants.get(ref).names().auth().name();
    }

    public String role(String ref, String level) {
        return tenants.get(ref).names().schemaName() + "_" + level;
    }

    /** Runs a part of the service in one transaction. */
    <T> T with(Tenant tenant, AuthTransactions.Work<T> work) {
        return new AuthTransactions(transactions).run(tenant, work);
    }

    public Clock clock() {
        return clock;
    }

    /** Sets the value of a Secret that the project's settings reference. */
    void secret(String ref, String name, String key, String value) {
        Tenant tenant = tenants.get(ref);
        var leaf = projects.purposeRoots()
                .require(Purpose.SEALED, tenant.masterKeyVersion())
                .leaf(tenant.scope().withKeyVersion(Adoption.KEY_VERSION));
        var secrets = new ArrayList<>(tenant.authSecrets());
        secrets.removeIf(secret -> secret.isOf(new SecretKeyReference(name, key)));
        secrets.add(new ActiveSecret(name, key, SealedText.seal(leaf, SealedText.Use.AUTH_SECRET, value)));
        tenants.put(ref, tenant.withAuthSecrets(secrets));
    }

    TestingProjects projects() {
        return projects;
    }

    void pass(Duration time) {
        clock.pass(time);
    }

    /** An answer, its body read as JSON. */
    public record Answer(int status, JsonNode body, HttpResponse<String> http) {
        public String text(String name) {
            return body.path(name).asText();
        }
    }

    public Answer post(String ref, String path, String body) {
        return call(ref, "POST", path, null, body);
    }

    public Answer call(String ref, String method, String path, String bearer, String body) {
        return call(ref, method, path, bearer, body, Map.of());
    }

    public Answer call(
            String ref, String method, String path, String bearer, String body, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/" + ref + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        headers.forEach(request::header);
        if (bearer != null) {
            request.header("Authorization", "Bearer " + bearer);
        }
        try {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            return new Answer(
                    answer.statusCode(),
                    answer.body().isEmpty() ? JSON.nullNode() : JSON.readTree(answer.body()),
                    answer);
        } catch (IOException e) {
            throw new IllegalStateException("while asking " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The whole answer to an address that the JDK's client refuses to send. */
    String raw(String ref, String address) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(30_000);
            String request = "POST /" + ref + address
                    + " HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        server.close();
        egress.close();
        providerEgress.close();
        provider.close();
        mails.close();
        transactions.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        redis.close();
    }
}

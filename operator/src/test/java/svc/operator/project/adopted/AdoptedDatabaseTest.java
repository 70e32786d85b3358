package svc.operator.project.adopted;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectSpec;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.database.DatabaseMode;
import svc.crds.project.database.DatabaseSpec;
import svc.crds.project.database.DedicatedSpec;
import svc.crds.project.service.RestSpec;
import svc.crds.reference.LocalReference;
import svc.database.key.Incarnation;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.operator.project.keys.ProjectMasterKey;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/** An existing database is served unchanged: only read, never written to, never dropped. */
class AdoptedDatabaseTest {
    private static final String TOKEN_SECRET = "a-secret-of-more-than-32-bytes-for-tokens";

    private static ExistingDatabase sharedDatabase;
    private static TestingOperator sharedOperator;

    // Each test has a Project and a Secret of its own.
    private final String shop = TestingApi.name("shop");
    private final String connection = shop + "-database";

    private ExistingDatabase existing = sharedDatabase;
    private TestingOperator operator = sharedOperator;

    @BeforeAll
    static void start() {
        sharedDatabase = new ExistingDatabase();
        sharedOperator = TestingOperator.prepared().start();
    }

    @AfterAll
    static void stop() {
        sharedOperator.close();
    }

    /** Otherwise the operator would go on reconciling it. */
    @AfterEach
    void deleteProject() {
        sharedOperator.at(shop).delete();
    }

    @Test
    void isServedWithItsOwnLogins() {
        String before = existing.contents();
        Map<String, String> data = new TreeMap<>(existing.secret("authenticator"));
        data.put("owner-user", existing.role("migrator"));
        data.put("owner-password", ExistingDatabase.PASSWORD);
        secret(connection, data);

        Project project = adopt(shop, "anon");

        var place = project.getStatus().database();
        assertThat(place.layout()).isEqualTo(DatabaseLayout.ADOPTED);
        assertThat(place.adopted().user()).isEqualTo(existing.role("authenticator"));
        assertThat(opened(
                        project,
                        Purpose.SEALED,
                        SealedText.Use.ADOPTED_PASSWORD,
                        place.adopted().sealedPassword()))
                .isEqualTo(ExistingDatabase.PASSWORD);
        assertThat(opened(
                        project,
                        Purpose.OWNER,
                        SealedText.Use.ADOPTED_PASSWORD,
                        place.adopted().sealedOwnerPassword()))
                .isEqualTo(ExistingDatabase.PASSWORD);
        assertThat(project.getStatus().schema()).isEqualTo("public");
        assertThat(Serialization.asJson(operator.get(shop))).doesNotContain(ExistingDatabase.PASSWORD);
        assertThat(existing.contents()).isEqualTo(before);
    }

    @Test
    void aSecretThatComesLaterOrChangesIsTaken() {
        // It changes a role.
        existing = new ExistingDatabase();
        create(shop, "anon", null);
        operator.await(shop, has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ConnectionSecretMissing"));
        Map<String, String> data = new TreeMap<>(existing.secret("authenticator"));
        data.remove("host");
        secret(connection, data);
        operator.await(shop, has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ConnectionSecretInvalid"));
        assertThat(condition(operator.get(shop), ProjectCondition.DATABASE_READY)
                        .message())
                .contains("host is missing");
        data = new TreeMap<>(existing.secret("authenticator"));
        data.put("password", "x".repeat(1_501));
        secret(connection, data);
        operator.await(
                shop,
                project -> condition(project, ProjectCondition.DATABASE_READY)
                        .message()
                        .contains("is longer than 1500 bytes"));

        secret(connection, existing.secret("authenticator"));
        Project first = operator.ready(shop);

        existing.sql("ALTER ROLE " + existing.role("authenticator") + " PASSWORD 'another'");
        data = new TreeMap<>(existing.secret("authenticator"));
        data.put("password", "another");
        secret(connection, data);
        operator.await(
                shop,
                project -> project.isReady()
                        && !project.getStatus()
                                .database()
                                .equals(first.getStatus().database()));
    }

    @ParameterizedTest
    @CsvSource({
        "authenticator, stranger, RoleMissing",
        "authenticator, nobody, RoleMissing",
        "mighty, anon, LoginTooPowerful",
        "disguised, anon, LoginTooPowerful",
        "member, anon, LoginTooPowerful",
        "remote, anon, LoginTooPowerful",
        "heir, anon, LoginTooPowerful",
        "program, anon, LoginTooPowerful",
        "reader, anon, LoginTooPowerful",
        "bypassing, anon, LoginTooPowerful",
        "replicating, anon, LoginTooPowerful",
        "creating, anon, LoginTooPowerful",
    })
    void aLoginThatCannotServeIsRefused(String login, String anonRole, String reason) {
        secret(connection, existing.secret(login));
        create(shop, anonRole, null);
        operator.await(shop, has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, reason));
        assertThat(operator.get(shop).getStatus().database()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mighty", "member", "program"})
    void anOwnerLoginThatCanTakeTheServerIsRefused(String owner) {
        Map<String, String> data = new TreeMap<>(existing.secret("authenticator"));
        data.put("owner-user", existing.role(owner));
        data.put("owner-password", ExistingDatabase.PASSWORD);
        secret(connection, data);
        create(shop, "anon", null);
        operator.await(shop, has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "LoginTooPowerful"));
    }

    /** Rule 9: what a condition says must not tell which hosts and ports of the platform's network answer. */
    @Test
    void everyFailureToConnectReadsTheSame() {
        Set<String> messages = new HashSet<>();
        String[][] changes = {
            {"port", "1"},
            {"host", "10.255.255.255.invalid"},
            {"host", "0.0.0.0"},
            {"host", "169.254.169.254"},
            {"host", "::ffff:169.254.169.254"},
            {"password", "wrong-and-secret"},
            {"user", "nobody_at_all"},
        };
        for (String[] change : changes) {
            Map<String, String> data = new TreeMap<>(existing.secret("authenticator"));
            data.put(change[0], change[1]);
            String name = "p" + messages.size() + change[1].replaceAll("[^a-z0-9]", "");
            secret(connection, data);
            create(name, "anon", null);
            Project refused = operator.await(
                    name, has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ConnectionFailed"));
            messages.add(condition(refused, ProjectCondition.DATABASE_READY).message());
            operator.at(name).delete();
            operator.awaitGone(name);
        }
        assertThat(messages).hasSize(1);
    }

    @Test
    void thePlatformsOwnServersAreClosedUnlessANetworkIsAllowed() {
        try (var closed = TestingOperator.prepared().with("svc.project-servers.networks", "")) {
            operator = closed.start();
            secret(connection, existing.secret("authenticator"));
            create(shop, "anon", null);
            operator.await(shop, has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ConnectionFailed"));
        }
    }

    @Test
    void aWrongPasswordIsReportedWithoutRepeatingIt() {
        Map<String, String> data = new TreeMap<>(existing.secret("authenticator"));
        data.put("password", "wrong-and-secret");
        secret(connection, data);
        create(shop, "anon", null);
        operator.await(shop, has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "ConnectionFailed"));
        assertThat(Serialization.asJson(operator.get(shop))).doesNotContain("wrong-and-secret");
    }

    @Test
    void deletingTheProjectLeavesTheDatabaseAlone() {
        secret(connection, existing.secret("authenticator"));
        Project first = adopt(shop, "anon");
        String before = existing.contents();

        operator.at(shop).delete();
        operator.awaitGone(shop);
        Project again = adopt(shop, "anon");
        assertThat(again.getStatus().anonKey()).isEqualTo(first.getStatus().anonKey());

        operator.edit(shop, spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.at(shop).delete();
        operator.awaitGone(shop);
        assertThat(adopt(shop, "anon").getStatus().anonKey())
                .isNotEqualTo(first.getStatus().anonKey());
        assertThat(existing.contents()).isEqualTo(before);
    }

    @Test
    void keysForForeignTokensTravelSealed() {
        secret(connection, existing.secret("authenticator"));
        secret("jwt", Map.of("secret", TOKEN_SECRET, "short", "too short"));
        create(shop, "anon", keys("""
                [{"name": "old", "type": "HS256", "secretKeyRef": {"name": "jwt", "key": "secret"}},
                 {"name": "idp", "type": "JWKS", "url": "https://idp.example/jwks"}]"""));

        var keys = operator.ready(shop).getStatus().verifyKeys();
        assertThat(keys).hasSize(2);
        assertThat(opened(
                        operator.get(shop),
                        Purpose.SEALED,
                        SealedText.Use.VERIFY_KEY,
                        keys.getFirst().sealed()))
                .isEqualTo(TOKEN_SECRET);
        assertThat(keys.getLast().url()).isEqualTo("https://idp.example/jwks");

        operator.edit(
                shop,
                spec -> spec.auth(
                        keys(
                                "[{\"name\": \"old\", \"type\": \"HS256\", \"secretKeyRef\": {\"name\": \"jwt\", \"key\": \"short\"}}]")));
        Project refused =
                operator.await(shop, has(ProjectCondition.KEYS_READY, ConditionStatus.FALSE, "VerifyKeyMissing"));
        assertThat(condition(refused, ProjectCondition.KEYS_READY).message()).contains("32 bytes", "jwt");
        assertThat(refused.getStatus().verifyKeys()).isEqualTo(keys);
    }

    private Project adopt(String name, String anonRole) {
        create(name, anonRole, null);
        return operator.ready(name);
    }

    private void create(String name, String anonRole, AuthSpec auth) {
        var database =
                new DatabaseSpec(DatabaseMode.DEDICATED, null, new DedicatedSpec(new LocalReference(connection), null));
        operator.create(name, spec -> adopting(spec.database(database).auth(auth), anonRole));
    }

    private ProjectSpec.Builder adopting(ProjectSpec.Builder spec, String anonRole) {
        return spec.rest(new RestSpec(
                null, List.of(), null, null, null, null, null, null, null, existing.role(anonRole), null, null, null));
    }

    private static AuthSpec keys(String json) {
        return Serialization.unmarshal("{\"jwt\": {\"verifyKeys\": " + json + "}}", AuthSpec.class);
    }

    private void secret(String name, Map<String, String> data) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(operator.namespace())
                .withName(name)
                .endMetadata()
                .build();
        secret.setData(new TreeMap<>());
        data.forEach((key, value) -> secret.getData()
                .put(key, Base64.getEncoder().encodeToString(value.getBytes(java.nio.charset.StandardCharsets.UTF_8))));
        var at = operator.client().resource(secret);
        if (at.get() == null) {
            at.create();
        } else {
            at.update();
        }
    }

    private static String opened(Project project, Purpose purpose, SealedText.Use use, String sealed) {
        var status = project.getStatus();
        var scope = new ProjectKeyScope(
                UUID.fromString(status.projectId()),
                Incarnation.of(Base64.getUrlDecoder().decode(status.incarnation())),
                ProjectMasterKey.SEALING_KEY_VERSION);
        var leaf = TestingPostgres.masterKeys().newest().root(purpose).leaf(scope);
        return SealedText.open(leaf, use, sealed).orElseThrow();
    }
}

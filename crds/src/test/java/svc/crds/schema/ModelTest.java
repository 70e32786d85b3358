package svc.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.Api;
import svc.crds.CrdCatalog;
import svc.crds.function.EdgeFunction;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.project.ProjectStatus;
import svc.crds.project.database.DatabaseMode;
import svc.crds.secret.FunctionSecret;
import svc.embedded.kubernetes.schema.CustomResourceSchema;

/** The Java types say what the schema says: every field survives both ways, and both have the same defaults. */
class ModelTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    @ParameterizedTest
    @CsvSource({"project.yaml, 0", "edgefunction.yaml, 1", "functionsecret.yaml, 2"})
    void everyFieldOfAFullObjectSurvivesBothWays(String fixture, int kind) throws IOException {
        JsonNode given = read(fixture, JsonNode.class);
        CustomResourceSchema schema =
                CustomResourceSchema.of(CrdCatalog.load().all().get(kind), Api.VERSION);
        Class<?> type =
                List.of(Project.class, EdgeFunction.class, FunctionSecret.class).get(kind);

        assertThat(schema.unknownFields(given)).isEmpty();
        assertThat(schema.validate(given, Optional.empty())).isEmpty();
        String text = SERIALIZATION.asJson(SERIALIZATION.convertValue(given, type));
        JsonNode written = SERIALIZATION.unmarshal(text, JsonNode.class);
        assertThat(schema.applyDefaults(written)).isEqualTo(schema.applyDefaults(given));
    }

    @Test
    void anAbsentFieldReadsAsTheDefaultOfTheSchema() {
        JsonNode stored = new Refusals(CrdCatalog.load().project()).stored("{name: Shop}");
        ObjectNode bare = stored.deepCopy();
        bare.withObjectProperty("spec").retain("name");

        Project read = SERIALIZATION.convertValue(bare, Project.class);

        assertThat(read.getSpec())
                .isEqualTo(SERIALIZATION.convertValue(stored, Project.class).getSpec());
        assertThat(read.getSpec().deletionPolicy()).isEqualTo(DeletionPolicy.RETAIN);
        assertThat(read.getSpec().database().mode()).isEqualTo(DatabaseMode.SHARED);
        assertThat(read.getSpec().keys().anon().version()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: a, database: {mode: Dedicated, dedicated: {cluster: {storage: {size: 1Gi}}}}}",
                "{name: a, auth: {smtp: {host: h, from: a@b}, jwt: {}, email: {}, sessions: {}}}",
                "{name: a, auth: {providers: [{name: g, type: Google, clientId: x, clientSecretRef: {name: g, key: s}}]}}",
                "{name: a, keys: {anon: {previousUntil: '2026-01-01T00:00:00Z'}}, limits: {connections: 3}, rest: {}}",
            })
    void anAbsentFieldOfAPartReadsAsTheDefaultOfTheSchema(String spec) {
        JsonNode stored = new Refusals(CrdCatalog.load().project()).stored(spec);
        JsonNode bare = SERIALIZATION.unmarshal("---\n" + spec, JsonNode.class);

        assertThat(SERIALIZATION.convertValue(bare, ProjectSpec.class))
                .isEqualTo(SERIALIZATION.convertValue(stored.get("spec"), ProjectSpec.class));
    }

    @Test
    void aSpecGrowsPartByPart() {
        ProjectSpec spec = ProjectSpec.named("Shop").toBuilder().ref("abcdefgh").build();

        assertThat(spec.name()).isEqualTo("Shop");
        assertThat(spec.ref()).isEqualTo("abcdefgh");
        assertThat(spec.toBuilder().ref(null).build()).isEqualTo(ProjectSpec.named("Shop"));
    }

    @Test
    void readsAFullProject() throws IOException {
        Project project = read("project.yaml", Project.class);

        assertThat(project.getSpec().auth().jwt().verifyKeys()).hasSize(2);
        assertThat(project.getStatus().keys().anon().acceptsPrevious(Instant.parse("2026-05-31T23:59:59Z")))
                .isTrue();
        assertThat(project.getStatus().keys().anon().acceptsPrevious(Instant.parse("2026-06-01T00:00:00Z")))
                .isFalse();
        assertThat(project.isReady()).isTrue();
        assertThat(project.isFailed()).isFalse();
        assertThat(project.conditions().ready().isTrue()).isTrue();
    }

    @Test
    void theStatusMaySkipVersionsOfAKey() throws IOException {
        CustomResourceSchema schema = CustomResourceSchema.of(CrdCatalog.load().project(), Api.VERSION);
        JsonNode stored = read("project.yaml", JsonNode.class);
        ObjectNode next = stored.deepCopy();
        ((ObjectNode) next.at("/status/keys/service")).put("version", 5);

        assertThat(schema.validate(next, Optional.of(stored))).isEmpty();
    }

    @Test
    void aProjectIsReadyOnlyForTheSpecThatWasSeen() throws IOException {
        Project project = read("project.yaml", Project.class);
        project.getMetadata().setGeneration(project.getMetadata().getGeneration() + 1);

        assertThat(project.isReady()).isFalse();
        project.setStatus(null);
        assertThat(project.isReady()).isFalse();
        assertThat(project.isFailed()).isFalse();
    }

    @Test
    void aStatusGrowsPartByPart() {
        ProjectStatus status = ProjectStatus.empty().toBuilder().ref("abcdefgh").build();

        assertThat(status.toBuilder().schema("proj_x").build().ref()).isEqualTo("abcdefgh");
        assertThat(status.conditions()).isEmpty();
    }

    private static <T> T read(String fixture, Class<T> type) throws IOException {
        try (InputStream yaml = ModelTest.class.getResourceAsStream("/svc/crds/fixture/" + fixture)) {
            return SERIALIZATION.unmarshal(yaml, type);
        }
    }
}

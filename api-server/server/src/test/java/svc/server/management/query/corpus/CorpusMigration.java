package svc.server.management.query.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jwt.JWTClaimsSet;
import java.util.List;
import svc.crds.project.ProjectIdentity;
import svc.database.name.DatabaseRole;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Runs the steps of one file in a project of its own. */
final class CorpusMigration {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String USER = "00000000-0000-4000-8000-%012d";

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private final TestingProject project;
    private final ProjectForTests keys;
    private final String file;

    CorpusMigration(TestingProject project, String file) {
        this.project = project;
        this.keys = new ProjectForTests(
                new ProjectIdentity(project.ref(), project.owner().names().projectId()));
        this.file = file;
    }

    void take(List<CorpusStep> steps) {
        steps.forEach(step -> {
            switch (step) {
                case CorpusStep.Call call -> succeeds(call.line(), call.sql());
                case CorpusStep.SignUp user -> signUp(user);
                case CorpusStep.UserDeletion user -> deleteUser(user.user());
                case CorpusStep.Rows rows -> rows(rows);
                case CorpusStep.Failure failure -> fails(failure);
                case CorpusStep.Rest rest -> rest(rest);
                case CorpusStep.Refusal refusal -> refused(refusal);
            }
        });
    }

    private Http.Answer run(String sql) {
        return api.send(
                "POST",
                project.path(),
                JSON.createObjectNode().put("query", sql).toString());
    }

    private String at(int line) {
        return "corpus/" + file + ":" + line;
    }

    private Http.Answer succeeds(int line, String sql) {
        Http.Answer answer = run(sql);
        assertThat(answer.status()).as("%s%n%s%n→ %s", at(line), sql, answer).isEqualTo(201);
        return answer;
    }

    private void rows(CorpusStep.Rows step) {
        JsonNode rows = succeeds(step.line(), step.sql()).json();
        JsonNode expected = json(step.line(), step.answer());
        boolean oneValue =
                !expected.isArray() && rows.size() == 1 && rows.get(0).size() == 1;
        JsonNode found = oneValue ? rows.get(0).iterator().next() : rows;
        assertThat(found).as("%s%n%s", at(step.line()), step.sql()).isEqualTo(expected);
    }

    private void fails(CorpusStep.Failure step) {
        Http.Answer answer = run(step.sql());
        assertThat(answer.status()).as("%s → %s", at(step.line()), answer).isEqualTo(400);
        assertThat(answer.json().path("sqlstate").asText())
                .as("%s → %s", at(step.line()), answer)
                .isEqualTo(step.sqlState());
    }

    private void refused(CorpusStep.Refusal step) {
        Http.Answer answer = run(step.call().sql());
        assertThat(answer.status()).as("%s → %s", at(step.line()), answer).isEqualTo(400);
        assertThat(answer.code()).as("%s → %s", at(step.line()), answer).isEqualTo(step.code());
        assertThat(answer.json().path("hint").asText())
                .as("%s → %s", at(step.line()), answer)
                .contains(step.hint());
    }

    private void rest(CorpusStep.Rest step) {
        Http caller = as(step.caller()).with("Content-Type", "application/json");
        Http.Answer answer = caller.with("Prefer", "return=representation")
                .send(step.method(), "/rest/v1" + encoded(step.path()), step.body());
        assertThat(answer.status()).as("%s → %s", at(step.line()), answer).isEqualTo(step.status());
        if (!step.answer().isEmpty()) {
            assertThat(answer.json())
                    .as("%s → %s", at(step.line()), answer)
                    .isEqualTo(json(step.line(), step.answer()));
        }
    }

    /** What java.net.URI refuses in a query although it is written so. */
    private static String encoded(String path) {
        return path.replace("\"", "%22")
                .replace("{", "%7B")
                .replace("}", "%7D")
                .replace(">", "%3E")
                .replace("[", "%5B")
                .replace("]", "%5D");
    }

    private Http as(String caller) {
        if (caller.equals("service")) {
            return keys.http().with("apikey", keys.serviceKey());
        }
        Http anon = keys.http().with("apikey", keys.anonKey());
        if (caller.equals("anon")) {
            return anon;
        }
        JWTClaimsSet claims = keys.claims()
                .subject(id(Integer.parseInt(caller.substring("user ".length()))))
                .build();
        return anon.with("Authorization", "Bearer " + keys.token(claims));
    }

    private void signUp(CorpusStep.SignUp step) {
        asAuthService(
                "INSERT INTO \"$auth\".users (id, aud, role, email, raw_user_meta_data, raw_app_meta_data, created_at)"
                        + " VALUES ('" + id(step.user()) + "', 'authenticated', 'authenticated', '" + step.email()
                        + "', '"
                        + step.metadata().replace("'", "''") + "', '{\"provider\": \"email\"}', now())");
    }

    private void deleteUser(int user) {
        asAuthService("DELETE FROM \"$auth\".users WHERE id = '" + id(user) + "'");
    }

    /** As the login with which the auth service writes; the superuser would be stopped by nothing. */
    private void asAuthService(String sql) {
        var names = project.owner().names();
        project.owner()
                .asOperator("SET ROLE \"" + names.role(DatabaseRole.SYSTEM).name() + "\"; "
                        + sql.replace("$auth", names.auth().name()));
    }

    private static String id(int user) {
        return USER.formatted(user);
    }

    private JsonNode json(int line, String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(at(line) + " is not JSON: " + text, e);
        }
    }
}

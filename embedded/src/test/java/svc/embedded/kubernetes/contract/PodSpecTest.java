package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.embedded.kubernetes.HttpApi.Reply;

/** Validation of built-in kinds. */
class PodSpecTest extends ContractTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|spec.containers",
                "{containers: []}|spec.containers",
                "{containers: [{name: a}]}|spec.containers[0].image",
                "{containers: [{image: a}]}|spec.containers[0].name",
            })
    void namesTheMissingField(String spec, String field) throws Exception {
        Reply refused = http.post(inNamespace("/api/v1", "pods"), pod(spec));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().at("/details/causes/0/field").asText()).isEqualTo(field);
        assertThat(refused.body().at("/details/causes/0/reason").asText()).isEqualTo("FieldValueRequired");
    }

    @Test
    void acceptsACompletePod() throws Exception {
        assertThat(http.post(inNamespace("/api/v1", "pods"), pod("{containers: [{name: a, image: b}]}"))
                        .code())
                .isEqualTo(201);
    }

    @Test
    void otherBuiltInKinds() throws Exception {
        assertThat(http.post(
                                inNamespace("/apis/apps/v1", "deployments"),
                                "{apiVersion: apps/v1, kind: Deployment, metadata: {name: one}, spec: {}}")
                        .code())
                .isEqualTo(api.has(KnownDifference.BUILT_IN_KINDS_ARE_NOT_VALIDATED) ? 201 : 422);
    }

    private static String pod(String spec) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: one}, spec: " + spec + "}";
    }
}

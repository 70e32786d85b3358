package svc.operator.function.variable;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.reference.LocalReference;
import svc.crds.reference.SecretKeyReference;
import svc.crds.secret.FunctionSecret;
import svc.crds.secret.FunctionSecretSpec;
import svc.crds.secret.SecretSource;

/** The value that a FunctionSecret names, or the reason why there is none, which never shows a part of the value. */
class SecretValueTest {
    /** The API refuses them by the schema, unless that is an older one. */
    @ParameterizedTest
    @ValueSource(strings = {"SVC_URL", "SUPABASE_URL", "DENO_DIR", "LD_PRELOAD"})
    void namesOfThePlatformAreReserved(String variable) {
        assertThat(SecretValue.of(wanted(variable), "abcd2345", Optional.of(secret(Map.of("value", "x")))))
                .isInstanceOfSatisfying(SecretValue.Absent.class, absent -> {
                    assertThat(absent.reason()).isEqualTo("ReservedName");
                    assertThat(absent.message()).contains(variable, "choose another name");
                });
    }

    @Test
    void aSecretWithoutTheKey() {
        assertThat(SecretValue.of(wanted("WORD"), "abcd2345", Optional.of(secret(Map.of("other", "x")))))
                .isInstanceOfSatisfying(SecretValue.Absent.class, absent -> {
                    assertThat(absent.reason()).isEqualTo("KeyMissing");
                    assertThat(absent.message()).contains("has no key value: add it");
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {SecretValue.MAX_BYTES, SecretValue.MAX_BYTES + 1})
    void aValueOfTheMaximumLengthIsTheLongest(int length) {
        SecretValue found =
                SecretValue.of(wanted("WORD"), "abcd2345", Optional.of(secret(Map.of("value", "x".repeat(length)))));

        assertThat(found instanceof SecretValue.Found).isEqualTo(length == SecretValue.MAX_BYTES);
    }

    private static FunctionSecret wanted(String variable) {
        var wanted = new FunctionSecret();
        wanted.setSpec(new FunctionSecretSpec(
                new LocalReference("shop"),
                "hello",
                variable,
                new SecretSource(new SecretKeyReference("values", "value"))));
        return wanted;
    }

    private static Secret secret(Map<String, String> values) {
        var builder = new SecretBuilder().withNewMetadata().withName("values").endMetadata();
        values.forEach((key, value) ->
                builder.addToData(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return builder.build();
    }
}

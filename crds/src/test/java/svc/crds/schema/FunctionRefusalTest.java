package svc.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.CrdCatalog;

/** An invalid EdgeFunction or FunctionSecret is refused, and the message says what to do. */
class FunctionRefusalTest {

    private static final String HASH = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    private static final Refusals FUNCTION = new Refusals(CrdCatalog.load().edgeFunction());
    private static final Refusals SECRET = new Refusals(CrdCatalog.load().functionSecret());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "source: x",
                "contentHash: '" + HASH + "'",
                "source: x, files: {_shared/cors.ts: y}, verifyJwt: false, scale: {min: 1, max: 5}",
            })
    void acceptsAFunction(String rest) {
        assertThat(FUNCTION.onCreation(function(rest))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "verifyJwt: true | set source or contentHash, exactly one of them",
                "source: x, contentHash: '" + HASH + "' | set source or contentHash, exactly one of them",
                "contentHash: '" + HASH + "', files: {a: b} | files belong to source: set source, or remove files",
                "contentHash: md5 | spec.contentHash in body should",
                "source: x, scale: {max: 0} | spec.scale.max in body should be greater than or equal to 1",
                "source: x, resources: {limits: {memory: much}} | spec.resources.limits.memory in body should match",
            })
    void refusesAFunction(String rest, String expected) {
        assertThat(FUNCTION.onCreation(function(rest))).first().asString().contains(expected);
    }

    @Test
    void aFunctionHas256KibAtMostInAllOfItsFiles() {
        String half = "y".repeat(128 * 1024);
        String oneByteLess = "y".repeat(128 * 1024 - 1);
        String twoBytesEach = "\u00e9".repeat(100 * 1024);

        assertThat(FUNCTION.onCreation(function("source: " + half + ", files: {a.ts: " + oneByteLess + ", b.ts: y}")))
                .isEmpty();
        assertThat(FUNCTION.onCreation(function("source: " + half + ", files: {a.ts: " + half + ", b.ts: y}")))
                .singleElement()
                .asString()
                .contains("source and files have more than 256 KiB together: deploy the function with");
        assertThat(FUNCTION.onCreation(function("source: " + twoBytesEach + ", files: {a.ts: " + twoBytesEach + "}")))
                .singleElement()
                .asString()
                .contains("more than 256 KiB together");
        // What was stored before this rule may get a label and a status.
        String stored = function("source: " + half + ", files: {a.ts: " + half + ", b.ts: y}");
        assertThat(FUNCTION.onUpdate(stored, stored)).isEmpty();
    }

    @Test
    void refusesAFunctionWithoutProjectOrWithABadName() {
        assertThat(FUNCTION.onCreation("{name: hello, source: x}")).contains("spec.projectRef: Required value");
        assertThat(FUNCTION.onCreation("{projectRef: {name: shop}, name: ../etc, source: x}"))
                .first()
                .asString()
                .contains("spec.name in body should match");
    }

    @Test
    void aFunctionKeepsItsProjectAndName() {
        String stored = function("source: x");

        assertThat(FUNCTION.onUpdate(stored, "{projectRef: {name: other}, name: hello, source: x}"))
                .singleElement()
                .asString()
                .contains("projectRef cannot be changed: create another EdgeFunction");
        assertThat(FUNCTION.onUpdate(stored, "{projectRef: {name: shop}, name: bye, source: x}"))
                .singleElement()
                .asString()
                .contains("name cannot be changed: create another EdgeFunction");
        assertThat(FUNCTION.onUpdate(stored, function("contentHash: '" + HASH + "'")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SVC_URL | names that begin with SVC_ or SUPABASE_ are set by the platform: choose another",
                "SUPABASE_ANON_KEY | names that begin with SVC_ or SUPABASE_ are set by the platform: choose another",
                "DENO_DIR | names that begin with DENO_ or LD_ control the runtime: choose another",
                "LD_PRELOAD | names that begin with DENO_ or LD_ control the runtime: choose another",
                "1A | spec.key in body should match",
                "A-B | spec.key in body should match",
            })
    void refusesAVariable(String key, String expected) {
        assertThat(SECRET.onCreation(secret("shop", "hello", key)))
                .first()
                .asString()
                .contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"STRIPE_KEY", "svc_lower", "MY_SVC_KEY", "_X", "SVCX"})
    void acceptsAVariable(String key) {
        assertThat(SECRET.onCreation(secret("shop", "hello", key))).isEmpty();
    }

    @Test
    void aVariableNeedsASecret() {
        assertThat(SECRET.onCreation("{projectRef: {name: shop}, functionName: hello, key: A, valueFrom: {}}"))
                .first()
                .isEqualTo("spec.valueFrom.secretKeyRef: Required value");
    }

    @Test
    void aVariableKeepsItsProjectFunctionAndKey() {
        String stored = secret("shop", "hello", "A");

        assertThat(SECRET.onUpdate(stored, secret("other", "hello", "A")))
                .singleElement()
                .asString()
                .contains("projectRef");
        assertThat(SECRET.onUpdate(stored, secret("shop", "bye", "A")))
                .singleElement()
                .asString()
                .contains("functionName");
        assertThat(SECRET.onUpdate(stored, secret("shop", "hello", "B")))
                .singleElement()
                .asString()
                .contains("key");
    }

    private static String function(String rest) {
        return "{projectRef: {name: shop}, name: hello, " + rest + "}";
    }

    private static String secret(String project, String function, String key) {
        return "{projectRef: {name: " + project + "}, functionName: " + function + ", key: '" + key
                + "', valueFrom: {secretKeyRef: {name: values, key: a}}}";
    }
}

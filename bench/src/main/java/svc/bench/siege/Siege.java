package svc.bench.siege;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import svc.bench.measure.Tool;
import svc.e2e.platform.Platform;

/** The attacks of {@link SiegeSuite}: what a stranger, or the owner of a project, can send to the platform. */
final class Siege {
    /** Of the projects that attack with functions of SQL. */
    static final int ATTACKERS = 20;

    private static final int CALLS_EACH = 20;
    private static final int UPLOADS = 60;
    private static final int UPLOAD_BYTES = 16_000_000;
    private static final int STALLED = 60;
    private static final int SIGN_UPS = 300;
    private static final int SIGN_UPS_AT_ONCE = 100;
    private static final int ADDRESSES = 5_000;
    private static final int ADDRESS_BYTES = 30_000;
    private static final int IDLE_CONNECTIONS = 2_000;
    private static final int KEYS = 1_000;
    private static final int KEY_BITS = 2_048;
    private static final int TOKENS = 2_000;
    private static final int AT_ONCE = 32;
    private static final Duration KUBECTL_LIMIT = Duration.ofMinutes(1);
    private static final Random RANDOM = new Random(1);

    /** A function that lifts its timeout and catches its cancellation. */
    static final String HANG = """
            CREATE FUNCTION hang() RETURNS void LANGUAGE plpgsql SET statement_timeout = '10min' AS $$
            BEGIN
              LOOP
                BEGIN
                  PERFORM pg_sleep(60);
                EXCEPTION WHEN query_canceled THEN
                END;
              END LOOP;
            END $$;
            """;

    private static final String LARGE =
            "CREATE FUNCTION large() RETURNS text LANGUAGE sql AS $$ SELECT repeat('x', 4000000) $$;";

    private final Platform platform;
    private final List<Attacker> attackers = new ArrayList<>();

    Siege(Platform platform) throws IOException {
        this.platform = platform;
        for (int i = 0; i < ATTACKERS; i++) {
            Attacker attacker = Attacker.create(platform, "attacker " + i);
            platform.controlPlane().query(attacker.ref(), HANG + LARGE).expect(201);
            attackers.add(attacker);
        }
    }

    List<Attack> attacks() {
        return List.of(
                new Attack(ATTACKERS + " projects, " + CALLS_EACH + " hanging functions each", this::hangingFunctions),
                new Attack(UPLOADS + " silent uploads without a credential", this::silentUploads),
                new Attack(UPLOADS + " silent uploads with the anon key", this::silentUploadsWithKey),
                new Attack(STALLED + " stalled readers of large answers", this::stalledReaders),
                new Attack(SIGN_UPS + " sign-ups with passwords", this::signUps),
                new Attack(ADDRESSES + " distinct addresses of 30 KB", this::longAddresses),
                new Attack(IDLE_CONNECTIONS + " idle connections", this::idleConnections),
                new Attack("a JWKS of " + KEYS + " keys", this::manyKeys));
    }

    private AutoCloseable hangingFunctions() {
        return Attacker.flood(
                ATTACKERS * CALLS_EACH,
                ATTACKERS * CALLS_EACH,
                call -> attackers
                        .get(call % ATTACKERS)
                        .request("/rest/v1/rpc/hang")
                        .POST(BodyPublishers.ofString("{}")));
    }

    private AutoCloseable silentUploads() {
        String head = "POST /v1/projects/x/functions HTTP/1.1\r\nHost: "
                + first().gateway().getAuthority() + "\r\nContent-Type: application/json\r\nContent-Length: "
                + UPLOAD_BYTES + "\r\n\r\n";
        return first().hold(UPLOADS, head, UPLOAD_BYTES - 100_000);
    }

    private AutoCloseable silentUploadsWithKey() {
        String headers = "Content-Type: application/json\r\nContent-Length: " + UPLOAD_BYTES + "\r\n";
        return first().hold(UPLOADS, first().head("POST", "/rest/v1/item", headers), UPLOAD_BYTES - 100_000);
    }

    private Attacker first() {
        return attackers.getFirst();
    }

    private AutoCloseable stalledReaders() {
        return first().hold(STALLED, first().head("GET", "/rest/v1/rpc/large", ""), 0);
    }

    private AutoCloseable signUps() {
        return Attacker.flood(
                SIGN_UPS,
                SIGN_UPS_AT_ONCE,
                call -> first().request("/auth/v1/signup")
                        .POST(BodyPublishers.ofString(
                                "{\"email\":\"user%d@example.com\",\"password\":\"correct horse\"}".formatted(call))));
    }

    private AutoCloseable longAddresses() {
        return Attacker.flood(ADDRESSES, AT_ONCE, call -> {
            String values = IntStream.iterate(call * 10_000, i -> i + 1)
                    .limit(ADDRESS_BYTES / 9)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(","));
            String query =
                    "/rest/v1/missing?id=in.(" + values.substring(0, Math.min(values.length(), ADDRESS_BYTES)) + ")";
            return first().request(query).GET();
        });
    }

    private AutoCloseable idleConnections() {
        return first().hold(IDLE_CONNECTIONS, "", 0);
    }

    /** The project takes the set, or refuses it: neither may cost the neighbour anything. */
    private AutoCloseable manyKeys() throws IOException {
        Path keys = Files.createTempFile("jwks", ".json");
        try {
            Files.writeString(keys, keySet());
            kubectl("create", "secret", "generic", "keys", "--from-file", "jwks=" + keys);
        } finally {
            Files.delete(keys);
        }
        kubectl("patch", "project", first().ref(), "--type", "merge", "--patch", """
                {"spec":{"auth":{"jwt":{"verifyKeys":[
                  {"name":"many","type":"JWKS","secretKeyRef":{"name":"keys","key":"jwks"}}]}}}}""");
        String header = base64(ascii("{\"alg\":\"RS256\",\"typ\":\"JWT\"}"));
        return Attacker.flood(TOKENS, AT_ONCE, call -> {
            String claims = "{\"role\":\"authenticated\",\"exp\":4000000000,\"sub\":\"" + call + "\"}";
            byte[] signature = new byte[KEY_BITS / 8];
            RANDOM.nextBytes(signature);
            String token = header + "." + base64(ascii(claims)) + "." + base64(signature);
            return first().request("/rest/v1/missing")
                    .header("Authorization", "Bearer " + token)
                    .GET();
        });
    }

    private static String keySet() {
        return IntStream.range(0, KEYS)
                .mapToObj(i -> "{\"kty\":\"RSA\",\"alg\":\"RS256\",\"e\":\"AQAB\",\"n\":\"" + modulus() + "\"}")
                .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }

    /** An odd number of {@link #KEY_BITS} bits: it has the form of a modulus, and that is what a verifier sees. */
    private static String modulus() {
        byte[] bytes = new byte[KEY_BITS / 8];
        RANDOM.nextBytes(bytes);
        bytes[0] |= (byte) 0x80;
        bytes[bytes.length - 1] |= 1;
        return base64(bytes);
    }

    private void kubectl(String... arguments) throws IOException {
        List<String> words =
                new ArrayList<>(List.of("--kubeconfig", platform.connection().kubeconfig(), "--namespace", "svc"));
        words.addAll(List.of(arguments));
        Tool kubectl = Tool.find("kubectl").orElseThrow(() -> new IOException("kubectl is not on the PATH"));
        System.err.println(
                "kubectl: " + kubectl.run(Map.of(), words, KUBECTL_LIMIT).strip());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

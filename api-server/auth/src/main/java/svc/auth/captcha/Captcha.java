package svc.auth.captcha;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthRoutes.Endpoint;
import svc.auth.secret.ProjectSecrets;
import svc.crds.project.auth.CaptchaProvider;
import svc.crds.project.auth.CaptchaSpec;
import svc.database.name.DatabaseRole;
import svc.platform.egress.EgressAnswer;
import svc.platform.egress.EgressCall;
import svc.platform.egress.EgressClient;
import svc.platform.egress.EgressFailedException;

/**
 * Asks hCaptcha or Turnstile whether a person has solved a captcha, where a project wants it ({@code spec.auth.captcha}).
 * The project's own servers, which hold its service-role key, need none.
 */
public final class Captcha {
    private static final Logger LOG = Logger.getLogger(Captcha.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 64 * 1024;
    private static final int MAX_TOKEN_CHARACTERS = 16 * 1024;

    private final EgressClient egress;
    private final ProjectSecrets secrets;
    private final Map<CaptchaProvider, URI> judges;

    /** @param judges where each provider says what a token is worth */
    public Captcha(EgressClient egress, ProjectSecrets secrets, Map<CaptchaProvider, URI> judges) {
        this.egress = egress;
        this.secrets = secrets;
        this.judges = Map.copyOf(judges);
    }

    /** The providers' own addresses. */
    public static Map<CaptchaProvider, URI> judges() {
        return Map.of(
                CaptchaProvider.HCAPTCHA, URI.create("https://api.hcaptcha.com/siteverify"),
                CaptchaProvider.TURNSTILE, URI.create("https://challenges.cloudflare.com/turnstile/v0/siteverify"));
    }

    /** The same call behind a captcha. */
    public Endpoint before(Endpoint endpoint) {
        return request -> {
            require(request);
            return endpoint.answer(request);
        };
    }

    /** @throws AuthError of 400 when nobody has solved one, of 500 when that cannot be found out */
    public void require(AuthRequest request) {
        CaptchaSpec spec = request.tenant().auth().captcha();
        if (spec == null || request.caller().role() == DatabaseRole.SERVICE) {
            return;
        }
        String token = request.object("gotrue_meta_security")
                .map(security -> security.path("captcha_token").asText(""))
                .orElse("");
        if (token.isEmpty() || token.length() > MAX_TOKEN_CHARACTERS) {
            throw failed("no captcha_token found in request");
        }
        String secret = secrets.value(request.tenant(), spec.secretKeyRef())
                .orElseThrow(() -> broken(
                        request,
                        "there is no Secret " + spec.secretKeyRef().name() + "/"
                                + spec.secretKeyRef().key()));
        JsonNode verdict = judged(request, judges.get(spec.provider()), secret, token);
        if (!verdict.path("success").asBoolean(false)) {
            List<String> codes = new ArrayList<>();
            verdict.path("error-codes").forEach(code -> codes.add(code.asText()));
            throw failed(codes.isEmpty() ? "it was not solved" : String.join(", ", codes));
        }
    }

    private JsonNode judged(AuthRequest request, URI judge, String secret, String token) {
        String form = "secret=" + encoded(secret) + "&response=" + encoded(token) + "&remoteip="
                + encoded(request.callerAddress());
        var call = new EgressCall(
                HttpMethod.POST,
                judge,
                Map.of("Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json"),
                Buffer.buffer(form),
                MAX_BYTES,
                LIMIT);
        try {
            EgressAnswer answer =
                    egress.call(call).toCompletionStage().toCompletableFuture().join();
            if (answer.status() != 200) {
                throw broken(request, "it answered " + answer.status());
            }
            return JSON.readTree(answer.body().toString(StandardCharsets.UTF_8));
        } catch (CompletionException e) {
            if (e.getCause() instanceof EgressFailedException failure) {
                throw broken(request, failure.getMessage());
            }
            throw e;
        } catch (JsonProcessingException e) {
            throw broken(request, "its answer is no JSON");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static AuthError failed(String why) {
        return AuthErrorCode.CAPTCHA_FAILED.error("captcha protection: request disallowed (" + why + ")");
    }

    /** Nobody who calls has done anything wrong. */
    private static AuthError broken(AuthRequest request, String why) {
        LOG.warnf(
                "%s: the captcha's provider cannot be asked: %s",
                request.tenant().ref(), why);
        return AuthErrorCode.UNEXPECTED_FAILURE.error("captcha verification process failed: " + why + ". Try again.");
    }
}

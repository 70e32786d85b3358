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
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthRoutes.Endpoint;
import svc.auth.http.CallContext;
import svc.crds.project.auth.CaptchaProvider;
import svc.crds.project.auth.CaptchaSpec;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressCall;
import svc.platform.egress.EgressClient;
import svc.platform.egress.EgressFailedException;
import svc.platform.egress.EgressResponse;
import svc.platform.json.ForeignJson;
import svc.platform.secret.ProjectSecrets;

/**
 * Verifies captchas with hCaptcha or Turnstile, where a project wants one ({@code spec.auth.captcha}). Calls with the
 * service-role key need none.
 */
public final class Captcha {
    private static final Logger LOG = Logger.getLogger(Captcha.class);
    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 64 * 1024;
    private static final int MAX_TOKEN_CHARACTERS = 16 * 1024;

    private final EgressClient egress;
    private final ProjectSecrets secrets;
    private final Map<CaptchaProvider, URI> verifiers;

    /** @param verifiers each provider's address of {@code siteverify} */
    public Captcha(EgressClient egress, ProjectSecrets secrets, Map<CaptchaProvider, URI> verifiers) {
        this.egress = egress;
        this.secrets = secrets;
        this.verifiers = Map.copyOf(verifiers);
    }

    /** The addresses of the public services. */
    public static Map<CaptchaProvider, URI> verifiers() {
        return Map.of(
                CaptchaProvider.HCAPTCHA, URI.create("https://api.hcaptcha.com/siteverify"),
                CaptchaProvider.TURNSTILE, URI.create("https://challenges.cloudflare.com/turnstile/v0/siteverify"));
    }

    /** The endpoint behind a captcha. */
    public Endpoint before(Endpoint endpoint) {
        return request -> {
            require(request.context(), token(request));
            return endpoint.answer(request);
        };
    }

    /** The solution that a request brings; empty without one, and where the project wants none. */
    public static Optional<String> token(AuthRequest request) {
        return request.tenant().auth().captcha() == null
                ? Optional.empty()
                : request.object("gotrue_meta_security")
                        .map(security -> security.path("captcha_token").asText(""))
                        .filter(token -> !token.isEmpty());
    }

    /** @throws AuthError of 400 without a valid solution, of 500 when the provider cannot be asked */
    public void require(CallContext context, Optional<String> solution) {
        CaptchaSpec spec = context.tenant().auth().captcha();
        if (spec == null || context.isService()) {
            return;
        }
        String token = solution.filter(text -> text.length() <= MAX_TOKEN_CHARACTERS)
                .orElseThrow(() -> failed("no captcha_token found in request"));
        String secret = secrets.value(context.tenant(), spec.secretKeyRef())
                .orElseThrow(() -> broken(
                        context,
                        "there is no Secret " + spec.secretKeyRef().name() + "/"
                                + spec.secretKeyRef().key()));
        JsonNode result = siteVerify(context, verifiers.get(spec.provider()), secret, token);
        if (!result.path("success").asBoolean(false)) {
            List<String> codes = new ArrayList<>();
            result.path("error-codes").forEach(code -> codes.add(code.asText()));
            throw failed(codes.isEmpty() ? "it was not solved" : String.join(", ", codes));
        }
    }

    private JsonNode siteVerify(CallContext context, URI verifier, String secret, String token) {
        String form =
                "secret=" + encoded(secret) + "&response=" + encoded(token) + "&remoteip=" + encoded(context.address());
        var call = new EgressCall(
                HttpMethod.POST,
                verifier,
                Map.of("Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json"),
                Buffer.buffer(form),
                MAX_BYTES,
                TIMEOUT);
        try {
            EgressResponse answer = egress.call(CallOwner.of(context.tenant()), call)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            if (answer.status() != 200) {
                throw broken(context, "it answered " + answer.status());
            }
            return JSON.readTree(answer.body().toString(StandardCharsets.UTF_8));
        } catch (CompletionException e) {
            if (e.getCause() instanceof EgressFailedException failure) {
                throw broken(context, failure.getMessage());
            }
            throw e;
        } catch (JsonProcessingException e) {
            throw broken(context, "its answer is no JSON");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static AuthError failed(String why) {
        return AuthErrorCode.CAPTCHA_FAILED.error("captcha protection: request disallowed (" + why + ")");
    }

    /** A 5xx, because the caller cannot mend it. */
    private static AuthError broken(CallContext context, String why) {
        LOG.warnf("%s: captcha verification failed: %s", context.tenant().ref(), why);
        return AuthErrorCode.UNEXPECTED_FAILURE.error("captcha verification process failed: " + why + ". Try again.");
    }
}

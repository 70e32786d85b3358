package svc.auth.hook;

import com.google.re2j.Pattern;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.crds.project.auth.HookSpec;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressCall;
import svc.platform.egress.EgressClient;
import svc.platform.egress.EgressFailedException;
import svc.platform.egress.EgressResponse;
import svc.platform.egress.WebhookSignature;
import svc.platform.retry.RetryPolicy;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Tenant;

/** Hooks that are HTTP calls to an address of the project, signed by Standard Webhooks. */
final class HookCalls {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,4}");

    private static final int MAX_ATTEMPTS = 3;
    private static final Duration DELAY = Duration.ofMillis(250);
    private static final RetryPolicy ATTEMPTS =
            RetryPolicy.maxAttempts(MAX_ATTEMPTS).withDelay(HookCalls::delay);

    private final EgressClient egress;
    private final ProjectSecrets secrets;
    private final HookLimits limits;
    private final Clock clock;

    HookCalls(EgressClient egress, ProjectSecrets secrets, HookLimits limits, Clock clock) {
        this.egress = egress;
        this.secrets = secrets;
        this.limits = limits;
        this.clock = clock;
    }

    /** @param id the same for all attempts: the receiver can recognise a repeated call */
    private record Payload(CallOwner owner, String id, String text) {}

    /** An attempt failed in a way that another one may not. */
    private static final class TransientFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient AuthError error;
        private final transient Duration delay;

        /** @param delay until the next attempt */
        TransientFailure(AuthError error, Duration delay) {
            super(error.getMessage(), error, false, false);
            this.error = error;
            this.delay = delay;
        }
    }

    /**
     * @return the body of the answer; empty without one
     * @throws AuthError without a usable answer
     */
    Optional<String> call(Tenant tenant, HookPoint point, HookSpec hook, String payload) {
        if (payload.getBytes(StandardCharsets.UTF_8).length > HookFault.MAX_BYTES) {
            throw HookFault.tooLong(point);
        }
        URI address = address(point, hook.url());
        WebhookSignature signature = signature(tenant, point, hook);
        var sent = new Payload(CallOwner.of(tenant), UUID.randomUUID().toString(), payload);
        long end = System.nanoTime() + limits.call().toNanos();
        var attempts = new AtomicInteger();
        RetryPolicy policy = ATTEMPTS.retryOn(failure -> isInTime(failure, end));
        try {
            return policy.call(() -> {
                attempts.incrementAndGet();
                Duration left = Duration.ofNanos(end - System.nanoTime());
                return once(point, address, signature, sent, left);
            });
        } catch (TransientFailure e) {
            if (attempts.get() == MAX_ATTEMPTS) {
                throw e.error;
            }
            throw attempts.get() == 1 ? HookFault.late(point, limit()) : HookFault.lateAfterRetries(point, limit());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AuthErrorCode.DATABASE_UNAVAILABLE.error();
        }
    }

    private static boolean isInTime(Throwable failure, long end) {
        return failure instanceof TransientFailure again && System.nanoTime() + again.delay.toNanos() < end;
    }

    private static Duration delay(Throwable failure) {
        return failure instanceof TransientFailure again ? again.delay : DELAY;
    }

    private Optional<String> once(
            HookPoint point, URI address, WebhookSignature signature, Payload payload, Duration left) {
        long now = clock.instant().getEpochSecond();
        var call = new EgressCall(
                HttpMethod.POST,
                address,
                Map.of(
                        "Content-Type",
                        "application/json",
                        "Accept",
                        "application/json",
                        "webhook-id",
                        payload.id(),
                        "webhook-timestamp",
                        Long.toString(now),
                        "webhook-signature",
                        signature.header(payload.id(), now, payload.text())),
                Buffer.buffer(payload.text()),
                HookFault.MAX_BYTES,
                left);
        try {
            return read(
                    point,
                    egress.call(payload.owner(), call)
                            .toCompletionStage()
                            .toCompletableFuture()
                            .join());
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof EgressFailedException failure)) {
                throw e;
            }
            throw failed(point, failure);
        }
    }

    private RuntimeException failed(HookPoint point, EgressFailedException failure) {
        AuthError broken = HookFault.broken(point, "cannot be called: " + failure.getMessage());
        return switch (failure.reason()) {
            case TOO_LONG -> HookFault.tooLong(point);
            case LATE -> HookFault.late(point, limit());
            case REFUSED, BUSY -> broken;
            case UNREACHABLE, STATUS -> new TransientFailure(broken, DELAY);
        };
    }

    private static Optional<String> read(HookPoint point, EgressResponse answer) {
        return switch (answer.status()) {
            case 200, 202 -> json(point, answer);
            case 204 -> Optional.empty();
            case 429, 503 ->
                throw new TransientFailure(
                        HookFault.broken(point, "is not available: it answered " + answer.status()),
                        answer.headers().contains("Retry-After") ? retryAfter(answer) : DELAY);
            default -> throw HookFault.broken(point, "answered " + answer.status() + " where 200 was expected");
        };
    }

    private static Duration retryAfter(EgressResponse answer) {
        String text = answer.headers().get("Retry-After");
        return SECONDS.matches(text) ? Duration.ofSeconds(Long.parseLong(text)) : DELAY;
    }

    private static Optional<String> json(HookPoint point, EgressResponse answer) {
        if (answer.body().length() == 0) {
            return Optional.empty();
        }
        String type = answer.headers().get("Content-Type");
        if (type == null || !type.strip().toLowerCase(Locale.ROOT).startsWith("application/json")) {
            throw HookFault.noJson(point);
        }
        return Optional.of(answer.body().toString(StandardCharsets.UTF_8));
    }

    private static URI address(HookPoint point, String url) {
        try {
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            throw HookFault.broken(point, "names an address that cannot be read");
        }
    }

    private WebhookSignature signature(Tenant tenant, HookPoint point, HookSpec hook) {
        String reference =
                hook.secretKeyRef().name() + "/" + hook.secretKeyRef().key();
        String secret = secrets.value(tenant, hook.secretKeyRef())
                .orElseThrow(() -> HookFault.broken(point, "cannot be signed: there is no Secret " + reference));
        return WebhookSignature.of(secret)
                .orElseThrow(() -> HookFault.broken(
                        point, "cannot be signed: the Secret " + reference + " is not of the form v1,whsec_<base64>"));
    }

    private String limit() {
        return limits.call().toMillis() + "ms";
    }
}

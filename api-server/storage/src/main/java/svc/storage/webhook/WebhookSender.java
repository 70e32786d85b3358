package svc.storage.webhook;

import com.google.re2j.Pattern;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import svc.crds.project.service.StorageWebhookSpec;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressCall;
import svc.platform.egress.EgressClient;
import svc.platform.egress.EgressFailedException;
import svc.platform.egress.EgressResponse;
import svc.platform.egress.WebhookSignature;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Tenant;
import svc.storage.rows.EventRows.Event;

/**
 * Makes one call of a webhook, signed by Standard Webhooks. Blocks for no longer than its limit. The address is judged by the
 * egress client, redirects are not followed, and of an answer its status alone is of use.
 */
final class WebhookSender {
    private static final int MAX_ANSWER = 64 << 10;
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");

    private final EgressClient egress;
    private final ProjectSecrets secrets;
    private final Duration limit;
    private final Clock clock;

    /** @param limit of a call */
    WebhookSender(EgressClient egress, ProjectSecrets secrets, Duration limit, Clock clock) {
        this.egress = egress;
        this.secrets = secrets;
        this.limit = limit;
        this.clock = clock;
    }

    /** How a call ended. */
    sealed interface Outcome {
        record Delivered() implements Outcome {}

        /**
         * @param why for the project
         * @param retryAfter what the receiver asked for
         */
        record Failed(String why, Optional<Duration> retryAfter) implements Outcome {
            Failed(String why) {
                this(why, Optional.empty());
            }
        }
    }

    Outcome send(Tenant tenant, StorageWebhookSpec webhook, List<Event> events) {
        String reference =
                webhook.secretKeyRef().name() + "/" + webhook.secretKeyRef().key();
        Optional<String> secret = secrets.value(tenant, webhook.secretKeyRef());
        if (secret.isEmpty()) {
            return new Outcome.Failed("it cannot be signed: there is no Secret " + reference);
        }
        Optional<WebhookSignature> signature = WebhookSignature.of(secret.get());
        if (signature.isEmpty()) {
            return new Outcome.Failed(
                    "it cannot be signed: the Secret " + reference + " is not of the form v1,whsec_<base64>");
        }
        URI address;
        try {
            address = URI.create(webhook.url());
        } catch (IllegalArgumentException e) {
            return new Outcome.Failed("its address cannot be read");
        }
        return call(
                tenant,
                address,
                signature.get(),
                new Message(EventDocument.id(events), EventDocument.of(tenant.ref(), webhook.name(), events)));
    }

    private record Message(String id, String body) {}

    private Outcome call(Tenant tenant, URI address, WebhookSignature signature, Message message) {
        long now = clock.instant().getEpochSecond();
        var call = new EgressCall(
                HttpMethod.POST,
                address,
                Map.of(
                        "Content-Type",
                        "application/json",
                        "webhook-id",
                        message.id(),
                        "webhook-timestamp",
                        Long.toString(now),
                        "webhook-signature",
                        signature.header(message.id(), now, message.body())),
                Buffer.buffer(message.body()),
                MAX_ANSWER,
                limit);
        try {
            return read(egress.call(CallOwner.of(tenant), call)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof EgressFailedException failure) {
                return new Outcome.Failed(failure.getMessage());
            }
            throw e;
        }
    }

    private static Outcome read(EgressResponse answer) {
        if (answer.status() >= 200 && answer.status() < 300) {
            return new Outcome.Delivered();
        }
        String after = answer.headers().get("Retry-After");
        return new Outcome.Failed(
                "it answered " + answer.status(),
                Optional.ofNullable(after)
                        .filter(text -> SECONDS.matcher(text).matches())
                        .map(text -> Duration.ofSeconds(Long.parseLong(text))));
    }
}

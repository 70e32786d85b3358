package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import svc.crds.reference.SecretKeyReference;

/** An address that receives events of changed files, signed by Standard Webhooks. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StorageWebhookSpec(
        @Required
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the webhook, unique within the project.")
        String name,

        @Required
        @Size(max = 2048)
        @Pattern("^https?://[^\\s]+$")
        @JsonPropertyDescription("URL that events are sent to by POST; its host must be public.")
        String url,

        @Size(min = 1, max = 10)
        @JsonPropertyDescription("Events that are sent, in the words of S3 and Supabase; all if absent.")
        List<
                        @Size(max = 64)
                        @Pattern(
                                "^(ObjectCreated:(\\*|Put|Post|Copy|Move|CompleteMultipartUpload)|ObjectRemoved:(\\*|Delete|Move))$")
                        String>
                events,

        @Size(min = 1, max = 100) @JsonPropertyDescription("Bucket whose files are meant; every one if absent.")
        String bucket,

        @Size(max = 1024) @JsonPropertyDescription("What the names of the files begin with.")
        String prefix,

        @Required @JsonPropertyDescription("Reference to the secret that signs the events: v1,whsec_<base64>.")
        SecretKeyReference secretKeyRef) {

    private static final List<String> ALL = List.of("ObjectCreated:*", "ObjectRemoved:*");

    public StorageWebhookSpec {
        events = events == null || events.isEmpty() ? ALL : List.copyOf(events);
    }
}

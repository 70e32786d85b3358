package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import svc.crds.reference.SecretKeyReference;

/** Object storage of the project, /storage/v1. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StorageSpec(
        @Default("true") @JsonPropertyDescription("Whether the service is enabled.")
        Boolean enabled,

        @Min(1) @Max(53687091200L) @Default("52428800") @JsonPropertyDescription("Maximum size of an object, in bytes.")
        Long fileSizeLimit,

        @Min(0)
        @Max(1099511627776L)
        @JsonPropertyDescription("Maximum total size of all objects, in MiB; unlimited if absent.")
        Long totalSizeLimitMB,

        @Default("false") @JsonPropertyDescription("Whether image transformation is enabled.")
        Boolean imageTransformation,

        @Default("true") @JsonPropertyDescription("Whether the S3 protocol is enabled, /storage/v1/s3.")
        Boolean s3Protocol,

        @Size(max = 20)
        @JsonPropertyDescription(
                "Access keys of the S3 protocol, which act as the service role. Secrets are derived of the ids and shown by"
                        + " the Management API alone, once.")
        List<S3AccessKeySpec> s3AccessKeys,

        @Size(max = 200)
        @JsonPropertyDescription(
                "Buckets that exist with these settings. One that is removed from the list stays, with its files.")
        List<BucketSpec> buckets,

        @Min(0)
        @Max(1099511627776L)
        @JsonPropertyDescription(
                "Maximum that downloads of files may send in a calendar month (UTC), in MiB; unlimited if absent.")
        Long egressLimitMB,

        @Size(max = 5) @JsonPropertyDescription("Addresses that receive events of changed files.")
        List<StorageWebhookSpec> webhooks) {

    public StorageSpec {
        enabled = enabled == null ? true : enabled;
        fileSizeLimit = fileSizeLimit == null ? 52428800L : fileSizeLimit;
        imageTransformation = imageTransformation == null ? false : imageTransformation;
        s3Protocol = s3Protocol == null ? true : s3Protocol;
        s3AccessKeys = s3AccessKeys == null ? null : List.copyOf(s3AccessKeys);
        buckets = buckets == null ? List.of() : List.copyOf(buckets);
        webhooks = webhooks == null ? List.of() : List.copyOf(webhooks);
    }

    /** Without access keys and declared buckets. */
    public StorageSpec(
            Boolean enabled,
            Long fileSizeLimit,
            Long totalSizeLimitMB,
            Boolean imageTransformation,
            Boolean s3Protocol) {
        this(enabled, fileSizeLimit, totalSizeLimitMB, imageTransformation, s3Protocol, null, null, null, null);
    }

    /** The access keys of the S3 protocol; none where the field is absent. */
    @JsonIgnore
    public List<S3AccessKeySpec> accessKeys() {
        return s3AccessKeys == null ? List.of() : s3AccessKeys;
    }

    /** The same with other access keys. */
    public StorageSpec withAccessKeys(List<S3AccessKeySpec> keys) {
        return with(keys.isEmpty() ? null : keys, buckets, egressLimitMB, webhooks);
    }

    /** The same with other declared buckets. */
    public StorageSpec withBuckets(List<BucketSpec> declared) {
        return with(s3AccessKeys, declared, egressLimitMB, webhooks);
    }

    /** The same with another limit of what is sent; null for none. */
    public StorageSpec withEgressLimitMB(Long limit) {
        return with(s3AccessKeys, buckets, limit, webhooks);
    }

    /** The same with other webhooks. */
    public StorageSpec withWebhooks(List<StorageWebhookSpec> others) {
        return with(s3AccessKeys, buckets, egressLimitMB, others);
    }

    /** The Secrets that are referenced, without duplicates. */
    public List<SecretKeyReference> secretReferences() {
        return webhooks.stream()
                .map(StorageWebhookSpec::secretKeyRef)
                .distinct()
                .toList();
    }

    private StorageSpec with(
            List<S3AccessKeySpec> keys, List<BucketSpec> declared, Long egress, List<StorageWebhookSpec> others) {
        return new StorageSpec(
                enabled,
                fileSizeLimit,
                totalSizeLimitMB,
                imageTransformation,
                s3Protocol,
                keys,
                declared,
                egress,
                others);
    }

    /** The defaults of an absent object. */
    public static StorageSpec defaults() {
        return new StorageSpec(null, null, null, null, null);
    }
}

package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;

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

        @Default("false") @JsonPropertyDescription("Whether the S3 protocol is enabled.")
        Boolean s3Protocol,

        @Size(max = 200)
        @JsonPropertyDescription(
                "Buckets that exist with these settings. One that is removed from the list stays, with its files.")
        List<BucketSpec> buckets,

        @Min(0)
        @Max(1099511627776L)
        @JsonPropertyDescription(
                "Maximum that downloads of files may send in a calendar month (UTC), in MiB; unlimited if absent.")
        Long egressLimitMB) {

    public StorageSpec {
        enabled = enabled == null ? true : enabled;
        fileSizeLimit = fileSizeLimit == null ? 52428800L : fileSizeLimit;
        imageTransformation = imageTransformation == null ? false : imageTransformation;
        s3Protocol = s3Protocol == null ? false : s3Protocol;
        buckets = buckets == null ? List.of() : List.copyOf(buckets);
    }

    /** Without declared buckets. */
    public StorageSpec(
            Boolean enabled,
            Long fileSizeLimit,
            Long totalSizeLimitMB,
            Boolean imageTransformation,
            Boolean s3Protocol) {
        this(enabled, fileSizeLimit, totalSizeLimitMB, imageTransformation, s3Protocol, null, null);
    }

    /** The same with other declared buckets. */
    public StorageSpec withBuckets(List<BucketSpec> declared) {
        return new StorageSpec(
                enabled, fileSizeLimit, totalSizeLimitMB, imageTransformation, s3Protocol, declared, egressLimitMB);
    }

    /** The same with another limit of what is sent; null for none. */
    public StorageSpec withEgressLimitMB(Long limit) {
        return new StorageSpec(
                enabled, fileSizeLimit, totalSizeLimitMB, imageTransformation, s3Protocol, buckets, limit);
    }

    /** The defaults of an absent object. */
    public static StorageSpec defaults() {
        return new StorageSpec(null, null, null, null, null);
    }
}

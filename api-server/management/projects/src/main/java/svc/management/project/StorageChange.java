package svc.management.project;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.crds.project.service.StorageSpec;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * Settings of a project's storage service, in the form of Supabase's Management API and with the fields of {@code
 * Project.spec.storage} that it does not have. Omitted fields keep their value.
 *
 * @param fileSizeLimit in bytes
 * @param totalSizeLimitMB null if omitted, empty if the size is to be unlimited; {@code egressLimitMB} likewise
 */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
@Schema(name = "StorageConfig")
public record StorageChange(
        Long fileSizeLimit, Features features, Optional<Long> totalSizeLimitMB, Optional<Long> egressLimitMB) {
    private static final long MAX_FILE = 53_687_091_200L;
    private static final long MAX_TOTAL = 1_099_511_627_776L;

    /** What can be switched. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @Schema(name = "StorageFeatures")
    public record Features(Feature imageTransformation, Feature s3Protocol) {}

    @Schema(name = "StorageFeature")
    public record Feature(Boolean enabled) {}

    /** The settings of a spec. */
    static StorageChange of(StorageSpec spec) {
        return new StorageChange(
                spec.fileSizeLimit(),
                new Features(new Feature(spec.imageTransformation()), new Feature(spec.s3Protocol())),
                Optional.ofNullable(spec.totalSizeLimitMB()),
                Optional.ofNullable(spec.egressLimitMB()));
    }

    /** @throws ProblemException 400 with a pointer to the first invalid setting */
    StorageChange checked() {
        require(
                fileSizeLimit == null || fileSizeLimit >= 1 && fileSizeLimit <= MAX_FILE,
                "/fileSizeLimit",
                "must be from 1 to " + MAX_FILE + " bytes");
        total(totalSizeLimitMB, "/totalSizeLimitMB");
        total(egressLimitMB, "/egressLimitMB");
        return this;
    }

    private static void total(Optional<Long> setting, String pointer) {
        if (setting != null) {
            setting.ifPresent(
                    limit -> require(limit >= 0 && limit <= MAX_TOTAL, pointer, "must be from 0 to " + MAX_TOTAL));
        }
    }

    StorageSpec over(StorageSpec current) {
        return new StorageSpec(
                current.enabled(),
                fileSizeLimit == null ? current.fileSizeLimit() : fileSizeLimit,
                or(totalSizeLimitMB, current.totalSizeLimitMB()),
                switched(features == null ? null : features.imageTransformation(), current.imageTransformation()),
                switched(features == null ? null : features.s3Protocol(), current.s3Protocol()),
                current.s3AccessKeys(),
                current.buckets(),
                or(egressLimitMB, current.egressLimitMB()),
                current.webhooks());
    }

    private static Boolean switched(Feature feature, Boolean current) {
        return feature == null || feature.enabled() == null ? current : feature.enabled();
    }

    private static Long or(Optional<Long> setting, Long current) {
        return setting == null ? current : setting.orElse(null);
    }

    private static void require(boolean holds, String pointer, String otherwise) {
        if (!holds) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " " + otherwise + ".")
                    .withError(pointer, otherwise)
                    .asException();
        }
    }
}

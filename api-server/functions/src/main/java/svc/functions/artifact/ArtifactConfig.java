package svc.functions.artifact;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.util.Optional;

/** The bucket of the platform. Functions cannot be deployed or started without it; all else can. */
@ConfigMapping(prefix = "svc.api.s3")
public interface ArtifactConfig {
    /** Address of an S3 API; Amazon's own of the region when absent. */
    Optional<URI> endpoint();

    @WithDefault("us-east-1")
    String region();

    /** Made at the first use when it is missing. */
    Optional<String> bucket();

    Optional<String> accessKey();

    Optional<String> secretKey();

    /** Whether the bucket stands in the path rather than in the host name, as most servers but Amazon's want it. */
    @WithDefault("true")
    boolean pathStyle();
}

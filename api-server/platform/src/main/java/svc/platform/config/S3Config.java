package svc.platform.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** The platform's bucket. Without it functions cannot be deployed or started, and there are no files; the rest works. */
@ConfigMapping(prefix = "svc.api.s3")
public interface S3Config {
    /** URL of an S3 API; by default Amazon's for the region. */
    Optional<URI> endpoint();

    @WithDefault("us-east-1")
    String region();

    /** Created at the first use if it is missing. */
    Optional<String> bucket();

    /**
     * Absent together with the secret key: credentials are those of the environment, in the order of the AWS SDK. A service
     * account's role (IRSA), EKS Pod Identity, an instance's role, {@code AWS_ACCESS_KEY_ID}.
     */
    Optional<String> accessKey();

    Optional<String> secretKey();

    /** PEM file with the authorities that the server's certificate must come from; by default Java's. */
    Optional<Path> caFile();

    /** Whether the bucket is in the path rather than in the host name, as most servers except Amazon's expect. */
    @WithDefault("true")
    boolean pathStyle();
}

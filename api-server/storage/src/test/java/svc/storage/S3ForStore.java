package svc.storage;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import svc.embedded.s3.EmbeddedS3;
import svc.platform.config.S3Config;

/** The settings of the platform's bucket on an embedded S3. */
public record S3ForStore(URI address, EmbeddedS3.Credentials credentials) implements S3Config {
    @Override
    public Optional<URI> endpoint() {
        return Optional.of(address);
    }

    @Override
    public String region() {
        return "us-east-1";
    }

    @Override
    public Optional<String> bucket() {
        return Optional.of("platform");
    }

    @Override
    public Optional<String> accessKey() {
        return Optional.of(credentials.accessKey());
    }

    @Override
    public Optional<String> secretKey() {
        return Optional.of(credentials.secretKey());
    }

    @Override
    public Optional<Path> caFile() {
        return Optional.empty();
    }

    @Override
    public boolean pathStyle() {
        return true;
    }
}

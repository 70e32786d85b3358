package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A parameter of the session as the server reports it. */
public record ParameterStatus(String name, String value) {
    /** Empty for a content without both parts, such as one that was skipped. */
    public static Optional<ParameterStatus> read(ByteBuf content) {
        String[] parts = content.toString(StandardCharsets.UTF_8).split("\0", -1);
        return parts.length < 2 ? Optional.empty() : Optional.of(new ParameterStatus(parts[0], parts[1]));
    }
}

package svc.images;

import java.util.List;
import java.util.Map;

/**
 * How a container of an image starts.
 *
 * @param user numeric, so that Kubernetes can verify that it is not root
 */
public record ImageConfig(
        String title,
        String version,
        String user,
        String workingDir,
        List<String> entrypoint,
        Map<String, String> environment,
        List<Integer> ports) {
    public ImageConfig {
        entrypoint = List.copyOf(entrypoint);
        ports = List.copyOf(ports);
    }
}

package svc.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The pause image, for a test node without a registry: {@code PauseImage
 * <static program> <epoch seconds> <archive>}. For tests only.
 */
public final class PauseImage {
    /** The image name in the configuration of the test node's container runtime. */
    static final String NAME = "svc/pause:1";

    private static final int ARGUMENTS = 3;

    private PauseImage() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException("run ./svc test --node");
        }
        write(Path.of(arguments[0]), Long.parseLong(arguments[1]), Path.of(arguments[2]));
    }

    static void write(Path program, long epochSeconds, Path archive) throws IOException {
        Layer layer = Layer.of("pause", new FileTree().program("pause", Files.readAllBytes(program)), epochSeconds);
        var config = new ImageConfig("pause", "1", Recipes.USER, "/", List.of("/pause"), Map.of(), List.of());
        OciArchive.write(archive, NAME, config, List.of(layer), epochSeconds);
    }
}

package svc.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The images that a test node without a registry needs beside the platform's, each of one static program: {@code NodeImages
 * <pause> <network> <epoch seconds> <output folder>}. For tests only.
 */
public final class NodeImages {
    private static final int ARGUMENTS = 4;

    private NodeImages() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException("run ./svc test --node");
        }
        long epoch = Long.parseLong(arguments[2]);
        Path output = Path.of(arguments[3]);
        // The name of this one is in the configuration of the test node's container runtime.
        write("pause", Path.of(arguments[0]), epoch, output);
        write("network", Path.of(arguments[1]), epoch, output);
    }

    private static void write(String name, Path program, long epochSeconds, Path output) throws IOException {
        Layer layer = Layer.of(name, new FileTree().program(name, Files.readAllBytes(program)), epochSeconds);
        var config = new ImageConfig(name, "1", Recipes.USER, "/", List.of("/" + name), Map.of(), List.of());
        var variant = new OciArchive.Variant(Architecture.ofThisMachine(), config, List.of(layer));
        OciArchive.write(output.resolve(name + ".oci.tar"), "svc/" + name + ":1", List.of(variant), epochSeconds);
    }
}

package svc.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Builds the three images: {@code BuildImages <repository> <packages> <java runtime> <version> <epoch seconds> <output
 * folder>}. Prints each with the digest that a deployment pins.
 */
public final class BuildImages {
    private static final int ARGUMENTS = 6;
    private static final int MEBIBYTE = 1 << 20;

    private BuildImages() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException("run ./svc images");
        }
        long epoch = Long.parseLong(arguments[4]);
        Path output = Path.of(arguments[5]);
        String version = arguments[3];
        var recipes = new Recipes(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]), version, epoch);
        for (Recipes.Image image : List.of(recipes.operator(), recipes.apiServer(), recipes.functionRuntime())) {
            String file = image.name().substring(image.name().lastIndexOf('/') + 1) + ".oci.tar";
            String digest = OciArchive.write(
                    output.resolve(file), image.name() + ":" + version, image.config(), image.layers(), epoch);
            Files.write(output.resolve(file.replace(".oci.tar", ".cdx.json")), image.sbom());
            System.out.printf(
                    "%-42s %4d MiB  %s  %s%n",
                    image.name() + ":" + version, Files.size(output.resolve(file)) / MEBIBYTE, digest, file);
        }
    }
}

package svc.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds the three images for the architectures that are named: {@code BuildImages <repository> <version> <epoch seconds>
 * <modules of Java> <output folder> <architecture> ...}. Takes the parts of an architecture from {@code <output
 * folder>/<architecture>}: {@code packages}, {@code deno}, and {@code java}, a runtime that jlink made, or {@code wheel}, a
 * folder with the locked wheel. Prints each image with the digest that a deployment pins.
 */
public final class BuildImages {
    private static final int FIXED_ARGUMENTS = 5;
    private static final int MEBIBYTE = 1 << 20;

    private final Path repository;
    private final String version;
    private final long epoch;
    private final List<String> modules;
    private final Path output;

    private BuildImages(List<String> arguments) {
        this.repository = Path.of(arguments.get(0));
        this.version = arguments.get(1);
        this.epoch = Long.parseLong(arguments.get(2));
        this.modules = List.of(arguments.get(3).split(","));
        this.output = Path.of(arguments.get(4));
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length <= FIXED_ARGUMENTS) {
            throw new IllegalArgumentException("run ./svc images");
        }
        var build = new BuildImages(Arrays.asList(arguments));
        List<List<Recipes.Image>> images = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (String label : Arrays.asList(arguments).subList(FIXED_ARGUMENTS, arguments.length)) {
            Recipes recipes = build.recipes(Architecture.of(label));
            images.get(0).add(recipes.operator());
            images.get(1).add(recipes.apiServer());
            images.get(2).add(recipes.functionRuntime());
        }
        for (List<Recipes.Image> variants : images) {
            build.write(variants);
        }
    }

    private Recipes recipes(Architecture architecture) throws IOException {
        Path made = output.resolve(architecture.label());
        PackageLock lock =
                PackageLock.read(repository.resolve("images/packages.lock")).of(architecture);
        JavaRuntime java = java(made, architecture);
        java.check(modules);
        return new Recipes(
                repository,
                version,
                epoch,
                new Recipes.Parts(architecture, made.resolve("packages"), lock, java, made.resolve("deno")));
    }

    private JavaRuntime java(Path made, Architecture architecture) throws IOException {
        if (Files.isDirectory(made.resolve("java"))) {
            return JavaRuntime.linked(made.resolve("java"));
        }
        PackageLock.Entry locked = PackageLock.read(repository.resolve("images/java.lock"))
                .of(architecture)
                .entries()
                .getFirst();
        try (var wheels = Files.newDirectoryStream(made.resolve("wheel"), "*.whl")) {
            return JavaRuntime.inWheel(locked.read(wheels.iterator().next(), "java.lock"));
        }
    }

    private void write(List<Recipes.Image> variants) throws IOException {
        String name = variants.getFirst().name();
        String file = name.substring(name.lastIndexOf('/') + 1);
        Path archive = output.resolve(file + ".oci.tar");
        String digest = OciArchive.write(
                archive,
                name + ":" + version,
                variants.stream().map(Recipes.Image::variant).toList(),
                epoch);
        Files.write(
                output.resolve(file + ".cdx.json"),
                Sbom.union(variants.stream().map(Recipes.Image::sbom).toList()));
        System.out.printf(
                "%-30s %4d MiB  %s  %s%n",
                name + ":" + version,
                Files.size(archive) / MEBIBYTE,
                digest,
                variants.stream()
                        .map(image -> image.variant().architecture().label())
                        .toList());
    }
}

package svc.management.function;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import svc.functions.artifact.Archive;
import svc.management.function.SourcePath.Checked;
import svc.management.function.bundle.BundleOrigins;
import svc.management.function.bundle.BundleRequest;
import svc.management.function.bundle.BundleResult;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * The validated code of a function: names, paths, counts and sizes. The bundler checks the code itself. Pure.
 *
 * @param files by normalized path
 * @param importMap normalized path among the files
 */
record FunctionSource(
        String name, String entrypoint, String source, SortedMap<String, String> files, Optional<String> importMap) {
    /** Source and files in UTF-8. */
    static final int MAX_BYTES = 10 << 20;

    static final int MAX_FILES = 256;

    /** Of a source map, in characters; a process keeps it beside the code. Without it errors name places of the bundle. */
    private static final int MAX_MAPPINGS = 8 << 20;

    static final String USUAL_ENTRYPOINT = "index.ts";
    private static final Pattern ENTRYPOINT = Pattern.compile("[A-Za-z0-9_.-]+\\.(ts|tsx|mts|js|jsx|mjs)");

    /** @throws ProblemException with a pointer to the first invalid field */
    static FunctionSource of(
            String name,
            Optional<String> entrypoint,
            String source,
            Map<String, String> files,
            Optional<String> importMap) {
        String entry = entrypoint.map(path -> entrypoint(path, name)).orElse(USUAL_ENTRYPOINT);
        if (files.size() > MAX_FILES) {
            throw Problem.of(
                            ProblemCode.FUNCTION_TOO_MANY_FILES,
                            "A function has at most " + MAX_FILES + " files besides its source; the request has "
                                    + files.size() + ".")
                    .withError("/files", "has more than " + MAX_FILES + " entries")
                    .asException();
        }
        checkText(source, "/source");
        SortedMap<String, String> clean = clean(files, name, entry);
        checkSize(source, clean);
        Optional<String> map = importMap.map(path -> path(path, name, "/import_map"));
        map.filter(path -> !clean.containsKey(path)).ifPresent(path -> {
            throw Problem.of(
                            ProblemCode.FUNCTION_IMPORT_MAP_INVALID,
                            "The import map " + path + " is not one of the files.")
                    .withError("/import_map", "is not one of the files")
                    .asException();
        });
        return new FunctionSource(name, entry, source, clean, map);
    }

    private static SortedMap<String, String> clean(Map<String, String> files, String name, String entry) {
        SortedMap<String, String> clean = new TreeMap<>();
        Map<String, String> seen = new HashMap<>(Map.of(SourcePath.likeness(entry), "the source"));
        files.forEach((written, text) -> {
            String pointer = "/files/" + written.replace("~", "~0").replace("/", "~1");
            String path = path(written, name, pointer);
            if (text == null) {
                throw Problem.of(ProblemCode.INVALID_BODY, "The file " + path + " has no content.")
                        .withError(pointer, "must be a string")
                        .asException();
            }
            checkText(text, pointer);
            String twin = seen.put(SourcePath.likeness(path), written);
            if (twin != null) {
                throw Problem.of(
                                ProblemCode.FUNCTION_PATH_INVALID,
                                "The file " + written + " has the same path as " + twin
                                        + ", or one that differs in case or spelling only.")
                        .withError(pointer, "is there twice")
                        .asException();
            }
            clean.put(path, text);
        });
        return clean;
    }

    private static String path(String written, String name, String pointer) {
        Checked checked = SourcePath.clean(written, name);
        return checked.path()
                .orElseThrow(() -> Problem.of(
                                ProblemCode.FUNCTION_PATH_INVALID,
                                "The path at " + shortened(pointer) + " " + checked.fault() + ".")
                        .withError(shortened(pointer), checked.fault())
                        .withHint(
                                "Paths are relative to the function's folder, such as util.ts; shared files are in _shared/,"
                                        + " or in another folder beside it, such as ../lib/.")
                        .asException());
    }

    private static String entrypoint(String written, String name) {
        String path = path(written, name, "/entrypoint");
        if (!ENTRYPOINT.matcher(path).matches()) {
            throw Problem.of(
                            ProblemCode.FUNCTION_PATH_INVALID,
                            "The entrypoint is the name of a file in the function's folder that ends in .ts, .tsx, .mts,"
                                    + " .js, .jsx or .mjs.")
                    .withError("/entrypoint", "is not a valid entrypoint")
                    .asException();
        }
        return path;
    }

    private static void checkText(String text, String pointer) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The text at " + shortened(pointer) + " is not valid Unicode.")
                    .withError(shortened(pointer), "is not valid Unicode")
                    .asException();
        }
    }

    private static void checkSize(String source, SortedMap<String, String> files) {
        long bytes = bytes(source);
        for (Map.Entry<String, String> file : files.entrySet()) {
            bytes += bytes(file.getKey()) + bytes(file.getValue());
        }
        if (bytes > MAX_BYTES) {
            throw Problem.of(
                            ProblemCode.FUNCTION_TOO_LARGE,
                            "Source and files have " + bytes + " bytes; the limit is " + MAX_BYTES + ".")
                    .withHint("Import large libraries from a registry instead of sending them.")
                    .asException();
        }
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String shortened(String pointer) {
        return pointer.length() <= 200 ? pointer : pointer.substring(0, 200) + "…";
    }

    BundleRequest request() {
        return new BundleRequest(name, entrypoint, source, files, importMap);
    }

    Archive archive(BundleResult.Bundled bundled) {
        BundleOrigins from = bundled.origins();
        Archive.Origins origins =
                from.mappings().length() > MAX_MAPPINGS ? null : new Archive.Origins(from.mappings(), from.sources());
        return new Archive(bundled.code(), source, files, importMap.orElse(null), entrypoint, name, origins);
    }
}

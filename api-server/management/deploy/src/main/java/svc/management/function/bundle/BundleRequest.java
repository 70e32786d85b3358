package svc.management.function.bundle;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is to be bundled, checked and cleaned.
 *
 * @param entrypoint file name of {@code source} in the function's folder
 * @param files by path: of the function's folder, of the shared one when it begins with {@code _shared/}, of another
 *     folder beside it when it begins with {@code ../}
 * @param importMap path of an import map among the files; without one deno.json is looked for
 */
public record BundleRequest(
        String name, String entrypoint, String source, SortedMap<String, String> files, Optional<String> importMap) {
    public BundleRequest(
            String name, String entrypoint, String source, Map<String, String> files, Optional<String> importMap) {
        this(name, entrypoint, source, Collections.unmodifiableSortedMap(new TreeMap<>(files)), importMap);
    }
}

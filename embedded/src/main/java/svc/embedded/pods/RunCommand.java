package svc.embedded.pods;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.embedded.kubernetes.json.Json;

/**
 * How the runner of functions is started. The flags stand in {@code run/permissions.json}; added here are the paths, and
 * the addresses of this machine, behind which its own servers may listen.
 *
 * @param deno the program
 * @param run the folder of the runner
 */
record RunCommand(Path deno, Path run, JsonNode permissions, List<String> ownAddresses) {
    static final String PERMISSIONS = "permissions.json";

    /**
     * The arguments of one start.
     *
     * @param gateway the socket to the data plane, if there is one
     * @param heapMegabytes of the JavaScript engine
     */
    record Start(Path bundle, Path socket, Optional<Path> gateway, long heapMegabytes) {}

    /** Reads the flags. */
    static RunCommand of(Path deno, Path run) throws IOException {
        return new RunCommand(
                deno, run, Json.parse(Files.readAllBytes(run.resolve(PERMISSIONS))), addressesOfThisMachine());
    }

    /** The main module, by whose path our processes are recognised. */
    Path main() {
        return run.resolve("main.ts");
    }

    List<String> serving(Start start) {
        List<String> command = new ArrayList<>(List.of(deno.toString(), "run"));
        command.addAll(Json.texts(permissions.path("flags")));
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("{run}", run.toString());
        paths.put("{bundle}", start.bundle().toString());
        paths.put("{socket}", start.socket().toString());
        start.gateway().ifPresent(gateway -> paths.put("{gateway}", gateway.toString()));
        command.add("--allow-read=" + paths("readable", paths));
        command.add("--allow-write=" + paths("writable", paths));
        command.add("--deny-net=" + denied());
        command.add(engine(start.heapMegabytes()));
        command.add(main().toString());
        return command;
    }

    /** The command that loads a function and exits. */
    List<String> dryBoot(Path bundle) {
        List<String> command = new ArrayList<>(List.of(deno.toString(), "run"));
        command.addAll(Json.texts(permissions.path("flags")));
        command.addAll(List.of("--allow-read=" + run + "," + bundle, "--deny-net", main().toString(), "--dry-boot"));
        return command;
    }

    /** The environment variables of every start. */
    Map<String, String> environment(Path cache) {
        Map<String, String> environment = new LinkedHashMap<>();
        permissions
                .path("environment")
                .properties()
                .forEach(variable ->
                        environment.put(variable.getKey(), variable.getValue().asText()));
        environment.put("DENO_DIR", cache.toString());
        return environment;
    }

    private String engine(long heapMegabytes) {
        return Stream.concat(
                        Stream.of("--max-old-space-size=" + heapMegabytes),
                        Json.texts(permissions.path("engine")).stream())
                .collect(Collectors.joining(",", "--v8-flags=", ""));
    }

    private String paths(String kind, Map<String, String> paths) {
        return Json.texts(permissions.path(kind)).stream()
                .filter(paths::containsKey)
                .map(paths::get)
                .collect(Collectors.joining(","));
    }

    private String denied() {
        return Stream.concat(Json.texts(permissions.path("denied")).stream(), ownAddresses.stream())
                .distinct()
                .collect(Collectors.joining(","));
    }

    private static List<String> addressesOfThisMachine() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .map(RunCommand::denial)
                .toList();
    }

    private static String denial(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        String bare = zone < 0 ? text : text.substring(0, zone);
        return bare.contains(":") ? "[" + bare + "]" : bare;
    }
}

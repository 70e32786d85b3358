package svc.e2e.orm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;

/** A new project, and programs that reach it by the PostgreSQL endpoint alone. */
record EndpointProgram(Platform platform, String ref) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FOLDER = PlatformCommand.root().resolve("e2e/client/orm");

    static EndpointProgram ofNewProject(Platform platform, String name) throws IOException {
        return new EndpointProgram(
                platform, platform.controlPlane().create(name).get("ref").asText());
    }

    /** The address of the project, without the password. */
    URI address() {
        return URI.create(platform.connection().postgresUrl().replace("{ref}", ref));
    }

    /** The password of the project's owner. */
    String password() {
        return platform.connection().token();
    }

    /** What a script of {@code e2e/client/orm} prints. */
    JsonNode node(String script) throws IOException {
        return lastLine(run("node", FOLDER.resolve(script).toString(), address().toString()));
    }

    /** What a program in Python of {@code e2e/client/orm} prints. */
    JsonNode python(String program) throws IOException {
        return lastLine(run(
                "bash", FOLDER.resolve("python").toString(), program, address().toString()));
    }

    /** What one of PostgreSQL's own tools prints, given its arguments behind the address. */
    String tool(String name, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(tools().resolve(name).toString(), "--dbname=" + address()));
        words.addAll(List.of(arguments));
        return run(words.toArray(String[]::new));
    }

    private static Path tools() throws IOException {
        List<String> words = List.of("bash", FOLDER.resolve("postgresql-tools").toString());
        String printed = Program.run(words, Map.of()).succeeded(words);
        return Path.of(printed.strip().lines().reduce((first, last) -> last).orElseThrow());
    }

    private String run(String... words) throws IOException {
        List<String> list = List.of(words);
        return Program.run(list, Map.of("NODE_NO_WARNINGS", "1", "PGPASSWORD", password()))
                .succeeded(list);
    }

    private static JsonNode lastLine(String output) throws IOException {
        return JSON.readTree(
                output.strip().lines().reduce((first, last) -> last).orElseThrow());
    }
}

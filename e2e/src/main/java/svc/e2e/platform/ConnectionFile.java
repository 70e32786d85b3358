package svc.e2e.platform;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What {@code connection.json} says of a running platform.
 *
 * @param baseUrl of the control plane
 * @param dataUrl of a project by host name, with <code>{ref}</code> in it
 * @param pathUrl of a project by path, with <code>{ref}</code> in it
 * @param token of the admin
 * @param kubeconfig a file for kubectl
 * @param mailUrl where caught mails are shown
 * @param graphqlUrl the page for GraphQL
 * @param postgresUrl of a project for PostgreSQL's clients, with <code>{ref}</code> in it
 */
public record ConnectionFile(
        @JsonProperty("base_url") String baseUrl,
        @JsonProperty("data_url") String dataUrl,
        @JsonProperty("path_url") String pathUrl,
        @JsonProperty("token") String token,
        @JsonProperty("kubeconfig") String kubeconfig,
        @JsonProperty("mail_url") String mailUrl,
        @JsonProperty("graphql_url") String graphqlUrl,
        @JsonProperty("postgres_url") String postgresUrl) {
    static final String NAME = "connection.json";

    /** Reads the file in the data folder of a platform. */
    public static ConnectionFile read(Path folder) throws IOException {
        return new ObjectMapper().readValue(folder.resolve(NAME).toFile(), ConnectionFile.class);
    }

    /** Where a project is for a client that cannot resolve its host name. */
    public String pathUrl(String ref) {
        return pathUrl.replace("{ref}", ref);
    }

    /** Where a project is by its own host name. */
    public String dataUrl(String ref) {
        return dataUrl.replace("{ref}", ref);
    }
}

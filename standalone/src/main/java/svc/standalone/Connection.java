package svc.standalone;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.net.URI;
import java.nio.file.Path;

/**
 * How clients reach the platform: the contents of {@code data/connection.json}.
 *
 * @param baseUrl of the control plane, ends in {@code /v1}
 * @param dataUrl of a project by host name, with <code>{ref}</code> in it
 * @param pathUrl of a project for machines that cannot resolve its host name, with <code>{ref}</code> in it
 * @param token of the admin
 * @param kubeconfig for kubectl
 * @param mailUrl the page of mails caught from projects without a mail server of their own
 * @param graphqlUrl the page that asks the GraphQL APIs of projects
 * @param postgresUrl of a project for psql and drivers, with <code>{ref}</code> in it; empty where the endpoint is off
 */
@JsonPropertyOrder({"base_url", "data_url", "path_url", "token", "kubeconfig", "mail_url", "graphql_url", "postgres_url"
})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record Connection(
        @JsonProperty("base_url") String baseUrl,
        @JsonProperty("data_url") String dataUrl,
        @JsonProperty("path_url") String pathUrl,
        @JsonProperty("token") String token,
        @JsonProperty("kubeconfig") String kubeconfig,
        @JsonProperty("mail_url") String mailUrl,
        @JsonProperty("graphql_url") String graphqlUrl,
        @JsonProperty("postgres_url") String postgresUrl) {
    static Connection of(int port, String token, Path kubeconfig, URI mailPage, URI graphqlPage) {
        return new Connection(
                "http://127.0.0.1:" + port + "/v1",
                "http://{ref}.localhost:" + port,
                "http://127.0.0.1:" + port + "/p/{ref}",
                token,
                kubeconfig.toString(),
                mailPage.toString(),
                graphqlPage.toString(),
                "");
    }

    /** The same with the PostgreSQL endpoint at a port of the loopback interface. */
    Connection withPostgres(int port) {
        return new Connection(
                baseUrl,
                dataUrl,
                pathUrl,
                token,
                kubeconfig,
                mailUrl,
                graphqlUrl,
                "postgresql://postgres.{ref}@127.0.0.1:" + port + "/postgres");
    }

    /** The terminal output when the platform is ready; the commands can be pasted as they are. */
    String greeting() {
        return """

                svc is up.

                  control plane   %1$s
                  projects        %3$s
                                  or %2$s, where names below localhost resolve: not in every Node.js
                  kubernetes      export KUBECONFIG=%5$s
                  mails           %7$s
                  graphql         %8$s
                  PostgreSQL      %9$s
                                  the password is the admin token, or another with database_query
                  admin token     %4$s

                Your first project, in five lines:

                  export SVC=%1$s PAT=%4$s
                  curl -s -X POST $SVC/projects -H "Authorization: Bearer $PAT" -d '{"name":"shop"}' | tee shop.json
                  export REF=$(sed -E 's/.*"ref":"([a-z0-9]+)".*/\\1/' shop.json) KEY=$(sed -E 's/.*"anon_key":"([^"]+)".*/\\1/' shop.json)
                  curl -s -X POST $SVC/projects/$REF/database/query -H "Authorization: Bearer $PAT" -d '{"query":"create table todos (id int primary key, title text); insert into todos values (1, $$it works$$)"}'
                  curl -s "http://127.0.0.1:%6$d/p/$REF/rest/v1/todos?select=*" -H "apikey: $KEY"
                """.formatted(
                        baseUrl,
                        dataUrl,
                        pathUrl,
                        token,
                        kubeconfig,
                        URI.create(baseUrl).getPort(),
                        mailUrl,
                        graphqlUrl,
                        postgresUrl.isEmpty() ? "off" : postgresUrl);
    }
}

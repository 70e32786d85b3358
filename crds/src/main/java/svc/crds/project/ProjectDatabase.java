package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** Where the project lives. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectDatabase(
        @Size(max = 253)
        @JsonPropertyDescription("The configured shared database, or the Secret or cluster of a dedicated one.")
        String name,

        @Size(max = 253) @JsonPropertyDescription("Host of the server.")
        String host,

        @Min(1) @Max(65535) @JsonPropertyDescription("Port of the server.")
        Integer port,

        @Size(max = 63) @JsonPropertyDescription("Database on the server.")
        String databaseName,

        @JsonPropertyDescription("How the schemas beside the project's own are named.")
        DatabaseLayout layout,

        @Size(max = 16)
        @JsonPropertyDescription("How connections are encrypted, in libpq's words; as the platform's own if absent.")
        String sslMode,

        @Size(max = 65_536)
        @JsonPropertyDescription(
                "Certificates in PEM, one of which must have signed that of the server; those that everybody trusts if absent.")
        String caCertificates,

        @JsonPropertyDescription("The logins of an adopted database.")
        AdoptedLogins adopted) {

    /** Whose server is not asked who it is, or is believed as everybody does. */
    public ProjectDatabase(
            String name,
            String host,
            Integer port,
            String databaseName,
            DatabaseLayout layout,
            String sslMode,
            AdoptedLogins adopted) {
        this(name, host, port, databaseName, layout, sslMode, null, adopted);
    }

    /** A database whose logins are derived. */
    public ProjectDatabase(String name, String host, Integer port, String databaseName, DatabaseLayout layout) {
        this(name, host, port, databaseName, layout, null, null, null);
    }
}

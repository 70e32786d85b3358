package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** Location of the project's database. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectDatabase(
        @Size(max = 253)
        @JsonPropertyDescription("Name of the shared database, or of the Secret or Cluster of a dedicated one.")
        String name,

        @Size(max = 253) @JsonPropertyDescription("Host of the server.")
        String host,

        @Min(1) @Max(65535) @JsonPropertyDescription("Port of the server.")
        Integer port,

        @Size(max = 63) @JsonPropertyDescription("Name of the database on the server.")
        String databaseName,

        @JsonPropertyDescription("Naming of the companion schemas.")
        DatabaseLayout layout,

        @Size(max = 16) @JsonPropertyDescription("sslmode of connections, as in libpq; the platform's own if absent.")
        String sslMode,

        @Size(max = 65_536) @JsonPropertyDescription("Trusted certificate authorities in PEM; the system's if absent.")
        String caCertificates,

        @JsonPropertyDescription("The logins of an adopted database.")
        AdoptedLogins adopted) {

    /** Without a certificate authority of its own. */
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

package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/**
 * Existing logins of an adopted database. Their passwords are encrypted with the project's sealing key: only a process with
 * the platform's root key for that purpose can decrypt them.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AdoptedLogins(
        @Size(max = 63) @JsonPropertyDescription("Login of the API; member of the roles in tokens.")
        String user,

        @Size(max = 2048) @JsonPropertyDescription("Its encrypted password.")
        String sealedPassword,

        @Size(max = 63) @JsonPropertyDescription("Login for SQL of the Management API; without it that SQL is refused.")
        String ownerUser,

        @Size(max = 2048) @JsonPropertyDescription("The encrypted password of that login.")
        String sealedOwnerPassword) {}

package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/**
 * Logins that an adopted database had already. Their passwords are sealed under the project's key: only a process that
 * holds the platform's root for it can read them.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AdoptedLogins(
        @Size(max = 63) @JsonPropertyDescription("Serves the API; may become the roles that tokens name.")
        String user,

        @Size(max = 2048) @JsonPropertyDescription("Its password, sealed.")
        String sealedPassword,

        @Size(max = 63) @JsonPropertyDescription("Runs SQL of the Management API; absent if that is not to be.")
        String ownerUser,

        @Size(max = 2048) @JsonPropertyDescription("The password of that login, sealed.")
        String sealedOwnerPassword) {}

package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The version in force of each kind of key. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeysInForce(
        @JsonPropertyDescription("The anonymous key, svc_anon_*.")
        KeyInForce anon,

        @JsonPropertyDescription("The service-role key, svc_service_*.")
        KeyInForce service,

        @JsonPropertyDescription("The key that signs user tokens.")
        KeyInForce signing,

        @JsonPropertyDescription("The passwords of the project's database logins.")
        KeyInForce database) {

    public static KeysInForce of(KeysSpec wanted) {
        return new KeysInForce(
                KeyInForce.of(wanted.anon()),
                KeyInForce.of(wanted.service()),
                KeyInForce.of(wanted.signing()),
                KeyInForce.of(wanted.database()));
    }
}

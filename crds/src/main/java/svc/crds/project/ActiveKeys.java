package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** The active version of each kind of key. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ActiveKeys(
        @JsonPropertyDescription("The anon key, svc_anon_*.")
        ActiveKey anon,

        @JsonPropertyDescription("The service-role key, svc_service_*.")
        ActiveKey service,

        @JsonPropertyDescription("The key that signs user tokens.")
        ActiveKey signing,

        @JsonPropertyDescription("The passwords of the project's database logins.")
        ActiveKey database) {

    public static ActiveKeys of(KeysSpec wanted) {
        return new ActiveKeys(
                ActiveKey.of(wanted.anon()),
                ActiveKey.of(wanted.service()),
                ActiveKey.of(wanted.signing()),
                ActiveKey.of(wanted.database()));
    }
}

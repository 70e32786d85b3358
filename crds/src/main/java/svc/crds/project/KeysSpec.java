package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;

/** The versions of the project's keys, for rotation with overlap. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeysSpec(
        @Default("{}") @JsonPropertyDescription("The anon key, svc_anon_*.")
        KeyVersion anon,

        @Default("{}") @JsonPropertyDescription("The service-role key, svc_service_*.")
        KeyVersion service,

        @Default("{}") @JsonPropertyDescription("The key that signs user tokens.")
        KeyVersion signing,

        @Default("{}") @JsonPropertyDescription("The passwords of the project's database logins.")
        KeyVersion database) {

    public KeysSpec {
        anon = anon == null ? KeyVersion.first() : anon;
        service = service == null ? KeyVersion.first() : service;
        signing = signing == null ? KeyVersion.first() : signing;
        database = database == null ? KeyVersion.first() : database;
    }

    static KeysSpec first() {
        return new KeysSpec(null, null, null, null);
    }
}

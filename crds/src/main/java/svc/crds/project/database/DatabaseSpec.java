package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Placement of the project's database. Immutable, because the operator does not move data. */
@ValidationRule(
        value = "self.mode == oldSelf.mode",
        message = "mode cannot be changed after creation: create another Project and copy the data",
        fieldPath = ".mode")
@ValidationRule(
        value = "(self.mode == 'Dedicated') == has(self.dedicated)",
        message = "set dedicated if mode is Dedicated, and only then",
        fieldPath = ".dedicated")
@ValidationRule(
        value = "!has(self.shared) || self.mode == 'Shared'",
        message = "shared names a shared database: remove it, or set mode to Shared",
        fieldPath = ".shared")
@ValidationRule(
        value = "has(self.shared) == has(oldSelf.shared) && (!has(self.shared) || self.shared == oldSelf.shared)",
        message = "shared cannot be set, changed or removed after creation: create another Project and copy the data",
        fieldPath = ".shared")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DatabaseSpec(
        @Default("Shared")
        @JsonPropertyDescription("Shared: a schema in a shared database. Dedicated: a separate database.")
        DatabaseMode mode,

        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of a configured shared database; the least loaded one if absent.")
        String shared,

        @JsonPropertyDescription("The database in mode Dedicated.")
        DedicatedSpec dedicated) {

    public DatabaseSpec {
        mode = mode == null ? DatabaseMode.SHARED : mode;
    }

    static final DatabaseSpec SHARED = new DatabaseSpec(null, null, null);

    /** Any shared database: the default of a Project without {@code spec.database}. */
    public static DatabaseSpec anyShared() {
        return SHARED;
    }
}

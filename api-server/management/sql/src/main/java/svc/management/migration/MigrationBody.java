package svc.management.migration;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of a call that applies migrations: one, or a folder; a folder without options may be the array itself.
 *
 * @param query one or several statements
 * @param statements the same in parts
 * @param name display name, 1 to 255 characters
 * @param version 1 to 32 digits, by convention YYYYMMDDHHMMSS; the time of the call if omitted
 * @param dryRun runs everything and rolls it back
 * @param migrations a folder, instead of all others but dryRun
 * @param rollback SQL that undoes it; kept, and run by a later call that rolls migrations back
 */
@Schema(name = "CreateMigrationBody")
public record MigrationBody(
        @Schema(description = "One or several statements", examples = "create table todos (id bigint primary key)")
        String query,

        @Schema(description = "The same in parts") List<String> statements,

        @Schema(maxLength = 255, examples = "create todos") String name,

        @Schema(pattern = "^[0-9]{1,32}$", examples = "20300131120000")
        String version,

        @Schema(defaultValue = "false") Boolean dryRun,

        @Schema(
                maxItems = MigrationFolder.MAX_FILES,
                description = "A folder, instead of query, statements, name and version. Those that are applied already"
                        + " are left out; the others are applied by version, up to the first that fails.")
        List<MigrationFile> migrations,

        @Schema(
                description =
                        "SQL that undoes the migration, at most 256 KB. It is kept and shown; DELETE with gte runs it.",
                examples = "drop table todos")
        String rollback) {
    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    public MigrationBody {}

    /** Without a rollback. */
    public MigrationBody(
            String query,
            List<String> statements,
            String name,
            String version,
            Boolean dryRun,
            List<MigrationFile> migrations) {
        this(query, statements, name, version, dryRun, migrations, null);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static MigrationBody of(List<MigrationFile> folder) {
        return new MigrationBody(null, null, null, null, null, folder);
    }

    boolean isFolder() {
        return migrations != null;
    }

    /** For the audit of a call that is denied or throttled; empty if there is none. */
    static String text(MigrationBody body) {
        if (body == null) {
            return "";
        }
        if (body.isFolder()) {
            return String.join(
                    "\n",
                    body.migrations().stream()
                            .map(file -> file == null ? "" : MigrationText.joined(file.query(), file.statements()))
                            .map(text -> text == null ? "" : text)
                            .toList());
        }
        String text = MigrationText.joined(body.query(), body.statements());
        return text == null ? "" : text;
    }
}

package svc.management.migration;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of a migration.
 *
 * @param query one or several statements
 * @param name display name, 1 to 100 characters
 * @param version 14 digits, by convention YYYYMMDDHHMMSS; the time of the call if omitted
 * @param dryRun runs everything and rolls it back
 */
public record MigrationBody(
        @Schema(required = true, examples = "create table todos (id bigint primary key)")
        String query,

        @Schema(maxLength = 100, examples = "create todos") String name,

        @Schema(pattern = "^\\d{14}$", examples = "20300131120000")
        String version,

        @Schema(defaultValue = "false") Boolean dryRun) {}

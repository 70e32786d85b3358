package svc.management.migration;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * One migration of a folder.
 *
 * @param version 1 to 32 digits; may be left out where the name is that of a file
 * @param name display name, or the name of a file of Supabase's command line: {@code 20300131120000_create_todos.sql}
 * @param query its text
 * @param statements the same in parts
 */
public record MigrationFile(
        @Schema(pattern = "^[0-9]{1,32}$", examples = "20300131120000")
        String version,

        @Schema(examples = "20300131120000_create_todos.sql")
        String name,

        @Schema(description = "The text of the file; or statements")
        String query,

        @Schema(description = "The text in parts; or query") List<String> statements) {}

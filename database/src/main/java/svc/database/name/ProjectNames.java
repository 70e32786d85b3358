package svc.database.name;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.database.sql.Identifier;

/**
 * The names of one project in its database, all derived from its id; 37 bytes for the schema, 51 at most for a role and 63
 * for a further schema, so none is ever cut off. Names are guessable by design: nothing may rest on one being secret.
 *
 * @param projectId the project's UUID; its 32 hex digits follow {@code proj_}
 * @param layout decides the companions' names only
 */
public record ProjectNames(UUID projectId, Layout layout) {
    private static final Pattern SCHEMA = Pattern.compile("proj_([0-9a-f]{32})");
    private static final int SCHEMA_CHARS = "proj_".length() + 32;
    private static final Pattern ROLE = Pattern.compile("(proj_[0-9a-f]{32})_([a-z]+)");

    public ProjectNames {
        requireNonNull(projectId, "projectId is null");
        requireNonNull(layout, "layout is null");
    }

    public static ProjectNames shared(UUID projectId) {
        return new ProjectNames(projectId, Layout.SHARED);
    }

    public static ProjectNames dedicated(UUID projectId) {
        return new ProjectNames(projectId, Layout.DEDICATED);
    }

    /** The id in a schema name of ours; empty when the name is not exactly of our pattern. */
    public static Optional<UUID> projectIdOf(String schemaName) {
        Matcher matcher = SCHEMA.matcher(schemaName);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String hex = matcher.group(1);
        return Optional.of(new UUID(Long.parseUnsignedLong(hex, 0, 16, 16), Long.parseUnsignedLong(hex, 16, 32, 16)));
    }

    /** The id in the name of a role or of any schema of a project, which begin with that of its main schema. */
    public static Optional<UUID> projectIdIn(String name) {
        return name.length() < SCHEMA_CHARS ? Optional.empty() : projectIdOf(name.substring(0, SCHEMA_CHARS));
    }

    /** Which of a project's roles a role name is; empty when the name is not exactly of our pattern. */
    public static Optional<DatabaseRole> roleOf(String roleName) {
        Matcher matcher = ROLE.matcher(roleName);
        return matcher.matches() ? DatabaseRole.ofSuffix(matcher.group(2)) : Optional.empty();
    }

    public String schemaName() {
        return "proj_" + projectId.toString().replace("-", "");
    }

    public Identifier schema() {
        return Identifier.of(schemaName());
    }

    public Identifier auth() {
        return companion("auth");
    }

    public Identifier storage() {
        return companion("storage");
    }

    public Identifier realtime() {
        return companion("realtime");
    }

    /** auth, storage, realtime, in this order. */
    public List<Identifier> companions() {
        return List.of(auth(), storage(), realtime());
    }

    /** In a dedicated database a further schema has the name that applications write. */
    public Identifier further(FurtherSchema schema) {
        return Identifier.of(layout == Layout.SHARED ? furtherPrefix() + schema.alias() : schema.alias());
    }

    /** The further schema of the project that has this name in the database; empty for every other name. */
    public Optional<FurtherSchema> furtherOf(String name) {
        if (layout == Layout.SHARED && !name.startsWith(furtherPrefix())) {
            return Optional.empty();
        }
        String alias = layout == Layout.SHARED ? name.substring(furtherPrefix().length()) : name;
        return FurtherSchema.isName(alias) ? Optional.of(new FurtherSchema(alias)) : Optional.empty();
    }

    /** What the names of the project's further schemas begin with in a shared database, and no other name. */
    public String furtherPrefix() {
        return schemaName() + FurtherSchema.SEPARATOR;
    }

    public Identifier role(DatabaseRole role) {
        return Identifier.of(schemaName() + "_" + role.suffix());
    }

    /** The login that reads the log of the project's own database; a shared one has a login of the platform for that. */
    public Identifier replication() {
        return Identifier.of(schemaName() + "_replication");
    }

    /** The replication slot of the project's own database: slots belong to the server, so their names have to differ. */
    public String replicationSlot() {
        return "svc_realtime_" + projectId.toString().replace("-", "");
    }

    private Identifier companion(String service) {
        return Identifier.of(layout == Layout.SHARED ? schemaName() + "_" + service : service);
    }
}

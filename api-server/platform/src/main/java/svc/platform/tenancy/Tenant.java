package svc.platform.tenancy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.crds.project.ActiveSecret;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.service.GraphqlSpec;
import svc.crds.project.service.RealtimeSpec;
import svc.crds.project.service.StorageSpec;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.name.FurtherSchema;
import svc.database.name.ProjectNames;
import svc.database.sql.Identifier;

/**
 * What the data plane knows of one live project: enough to find its database, derive its logins and keys, and serve its
 * host. Built from the Project's status, never from a Secret.
 *
 * @param ref the first label of its host
 * @param names its schemas and roles
 * @param scope what its keys are derived from (project, incarnation; key version set per use)
 * @param masterKeyVersion which master key its secrets come from
 * @param keyVersions the versions in force of each purpose, the current one and, during a rotation, the one before
 * @param database where its schema lies
 * @param organization whose tokens may manage it
 * @param restUrl address of its REST API, without a slash at the end
 * @param rest what the project has decided about its REST API
 * @param tokens which tokens it accepts
 * @param auth settings of the auth service
 * @param authSecrets values of Secrets that its settings of auth and storage name, sealed
 * @param storage settings of the storage service
 * @param graphql settings of the GraphQL service
 * @param realtime settings of the realtime service
 * @param adoption the logins of a database that was there before the project; empty where logins are derived
 */
public record Tenant(
        String ref,
        ProjectNames names,
        ProjectKeyScope scope,
        int masterKeyVersion,
        Map<Purpose, Set<Integer>> keyVersions,
        DatabaseAddress database,
        String organization,
        String restUrl,
        RestSettings rest,
        TokenSettings tokens,
        AuthSpec auth,
        List<ActiveSecret> authSecrets,
        StorageSpec storage,
        GraphqlSpec graphql,
        RealtimeSpec realtime,
        Optional<Adoption> adoption) {
    private static final String REST = "/rest/v1";

    /** How tokens and policies of an adopted database call signed-in users and the server side. */
    private static final Map<DatabaseRole, String> CUSTOMARY =
            Map.of(DatabaseRole.AUTHENTICATED, "authenticated", DatabaseRole.SERVICE, "service_role");

    private static final String CUSTOMARY_SCHEMA = "public";

    public Tenant {
        keyVersions = Map.copyOf(keyVersions);
        authSecrets = List.copyOf(authSecrets);
    }

    /** A project in a database of our making that accepts its own tokens. */
    public Tenant(
            String ref,
            ProjectNames names,
            ProjectKeyScope scope,
            int masterKeyVersion,
            Map<Purpose, Set<Integer>> keyVersions,
            DatabaseAddress database,
            String organization,
            String restUrl,
            RestSettings rest) {
        this(
                ref,
                names,
                scope,
                masterKeyVersion,
                keyVersions,
                database,
                organization,
                restUrl,
                rest,
                TokenSettings.own(),
                AuthSpec.defaults(),
                List.of(),
                StorageSpec.defaults(),
                GraphqlSpec.defaults(),
                RealtimeSpec.defaults(),
                Optional.empty());
    }

    /** The name in its database of the role that a caller of the data plane becomes. */
    public String roleName(DatabaseRole role) {
        if (adoption.isEmpty()) {
            return names.role(role).name();
        }
        return role == DatabaseRole.ANON ? rest.anonRole().orElseThrow() : CUSTOMARY.get(role);
    }

    /**
     * The schemas that requests may name, the default first, as the database has them. The project decides; without a
     * decision it is its main schema, and in an adopted database {@code public}, PostgREST's default.
     */
    public List<String> exposedSchemas() {
        if (rest.exposedSchemas().isEmpty()) {
            return List.of(adoption.isEmpty() ? names.schemaName() : CUSTOMARY_SCHEMA);
        }
        if (adoption.isPresent()) {
            return rest.exposedSchemas();
        }
        List<String> own = rest.exposedSchemas().stream()
                .flatMap(name -> ownSchema(name).stream())
                .distinct()
                .toList();
        return own.isEmpty() ? List.of(names.schemaName()) : own;
    }

    /** The exposed schema that a request names; empty when it may not name it. */
    public Optional<String> exposedSchema(String asked) {
        List<String> exposed = exposedSchemas();
        return exposed.contains(asked) ? Optional.of(asked) : ownSchema(asked).filter(exposed::contains);
    }

    /**
     * What the database calls a schema of the project, main or further, that applications name; empty for any other name
     * and in an adopted database, where names are what they say.
     */
    public Optional<String> ownSchema(String name) {
        if (adoption.isPresent()) {
            return Optional.empty();
        }
        if (name.equals(CUSTOMARY_SCHEMA) || name.equals(names.schemaName())) {
            return Optional.of(names.schemaName());
        }
        return FurtherSchema.isName(name)
                ? Optional.of(names.further(new FurtherSchema(name)).name())
                : Optional.empty();
    }

    /**
     * Schemas that names are also looked up in: the main one, unless it is exposed itself. An adopted database decides, with
     * PostgREST's default {@code public}.
     */
    public List<String> extraSearchPath() {
        if (adoption.isEmpty()) {
            return exposedSchemas().contains(names.schemaName()) ? List.of() : List.of(names.schemaName());
        }
        return rest.extraSearchPath();
    }

    /** The search path of a request for a schema, as the parameter's value. */
    public String requestSearchPath(Identifier schema) {
        if (adoption.isEmpty()) {
            Identifier main = names.schema();
            String own = schema.equals(main) ? main.name() : schema.sql() + ", " + main.name();
            return own + ", svc_views, pg_catalog, extensions";
        }
        return Stream.concat(Stream.of(schema), extraSearchPath().stream().map(Identifier::of))
                .map(Identifier::sql)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** Where the project's auth service is, which is also who its tokens say has issued them. */
    public String authUrl() {
        return serviceUrl("/auth/v1");
    }

    private String serviceUrl(String prefix) {
        String base = restUrl.endsWith(REST) ? restUrl.substring(0, restUrl.length() - REST.length()) : restUrl;
        return base + prefix;
    }

    /** Where the project's files are served. */
    public String storageUrl() {
        return serviceUrl("/storage/v1");
    }

    /** The same with other settings of the storage service. */
    public Tenant withStorage(StorageSpec other) {
        return with(auth, authSecrets, other, graphql, realtime);
    }

    /** The same with other settings of the auth service. */
    public Tenant withAuth(AuthSpec other) {
        return with(other, authSecrets, storage, graphql, realtime);
    }

    /** The same with other values of the Secrets that they name. */
    public Tenant withAuthSecrets(List<ActiveSecret> others) {
        return with(auth, others, storage, graphql, realtime);
    }

    /** The same with other settings of the GraphQL service. */
    public Tenant withGraphql(GraphqlSpec other) {
        return with(auth, authSecrets, storage, other, realtime);
    }

    /** The same with other settings of the realtime service. */
    public Tenant withRealtime(RealtimeSpec other) {
        return with(auth, authSecrets, storage, graphql, other);
    }

    private Tenant with(
            AuthSpec settings,
            List<ActiveSecret> secrets,
            StorageSpec files,
            GraphqlSpec endpoint,
            RealtimeSpec channels) {
        return new Tenant(
                ref,
                names,
                scope,
                masterKeyVersion,
                keyVersions,
                database,
                organization,
                restUrl,
                rest,
                tokens,
                settings,
                secrets,
                files,
                endpoint,
                channels,
                adoption);
    }

    public UUID projectId() {
        return names.projectId();
    }

    /**
     * A database that holds projects.
     *
     * @param name of the configured shared database; of an adopted one the project's id
     * @param jdbcUrl without credentials
     * @param server whether the platform or a tenant chose the server
     */
    public record DatabaseAddress(String name, String jdbcUrl, Server server) {
        /** A database of the platform's. */
        public DatabaseAddress(String name, String jdbcUrl) {
            this(name, jdbcUrl, Server.PLATFORM);
        }

        /** Which logins may be shown to a server: not even a proof of a platform's password goes to one of a tenant's. */
        public enum Server {
            PLATFORM,
            CHOSEN_BY_TENANT
        }

        /** @throws IllegalArgumentException for a server that no login of the platform may be shown to */
        public DatabaseAddress forPlatformLogins() {
            if (server != Server.PLATFORM) {
                throw new IllegalArgumentException("the database " + name + " is not the platform's");
            }
            return this;
        }
    }
}

package svc.embedded.kubernetes.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.type.ResourceType;
import svc.embedded.kubernetes.type.ServedVersion;
import svc.embedded.kubernetes.type.Subresource;

/** The discovery documents. */
public final class DiscoveryDocuments {
    // The version of Kubernetes that clients see; they enable features by it.
    private static final String MAJOR = "1";
    private static final String MINOR = "32";
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private final ResourceCatalog catalog;

    public DiscoveryDocuments(ResourceCatalog catalog) {
        this.catalog = catalog;
    }

    /** {@code /version}. */
    public ObjectNode version() {
        return Json.object()
                .put("major", MAJOR)
                .put("minor", MINOR)
                .put("gitVersion", "v%s.%s.0+svc".formatted(MAJOR, MINOR))
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "2025-01-01T00:00:00Z")
                .put("goVersion", "")
                .put("compiler", "javac")
                .put("platform", "jvm");
    }

    /** {@code /api}. */
    public ObjectNode coreVersions() {
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    /** {@code /apis}. */
    public ObjectNode groups() {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        groupNames().forEach(name -> groups.add(describe(name)));
        return list;
    }

    /** {@code /apis/<group>}.
     *
     * @throws ApiFailure 404 for a group that is not served */
    public ObjectNode group(String name) {
        if (groupNames().noneMatch(name::equals)) {
            throw ApiFailure.noSuchPath();
        }
        return describe(name).put("kind", "APIGroup").put("apiVersion", "v1");
    }

    /** {@code /api/v1} and {@code /apis/<group>/<version>}.
     *
     * @throws ApiFailure 404 for a version that is not served */
    public ObjectNode resources(String group, String version) {
        List<ResourceType> types = catalog.types()
                .filter(type ->
                        type.group().equals(group) && type.version(version).isPresent())
                .toList();
        if (types.isEmpty()) {
            throw ApiFailure.noSuchPath();
        }
        ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        for (ResourceType type : types) {
            resources.add(resource(type));
            type.version(version).stream()
                    .flatMap(served -> Subresource.of(type, served).stream())
                    .forEach(part -> resources.add(resource(type, part)));
        }
        return list;
    }

    private static ObjectNode resource(ResourceType type, Subresource part) {
        ObjectNode resource = Json.object()
                .put("name", type.names().plural() + "/" + part.name())
                .put("singularName", "")
                .put("namespaced", type.namespaced())
                .put("kind", part.kind());
        if (!part.group().isEmpty()) {
            resource.put("group", part.group()).put("version", part.version());
        }
        part.verbs().forEach(resource.putArray("verbs")::add);
        return resource;
    }

    private Stream<String> groupNames() {
        return catalog.types()
                .map(ResourceType::group)
                .filter(group -> !group.isEmpty())
                .distinct();
    }

    private ObjectNode describe(String name) {
        List<String> versions = catalog.types()
                .filter(type -> type.group().equals(name))
                .flatMap(type -> type.versions().stream())
                .map(ServedVersion::name)
                .distinct()
                .toList();
        ObjectNode group = Json.object().put("name", name);
        ArrayNode list = group.putArray("versions");
        versions.forEach(version -> list.add(describe(name, version)));
        group.set("preferredVersion", describe(name, versions.getFirst()));
        return group;
    }

    private static ObjectNode describe(String group, String version) {
        return Json.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    private static ObjectNode resource(ResourceType type) {
        ResourceType.Names names = type.names();
        ObjectNode resource = Json.object()
                .put("name", names.plural())
                .put("singularName", names.singular())
                .put("namespaced", type.namespaced())
                .put("kind", names.kind());
        VERBS.forEach(resource.putArray("verbs")::add);
        if (!names.shortNames().isEmpty()) {
            names.shortNames().forEach(resource.putArray("shortNames")::add);
        }
        if (!names.categories().isEmpty()) {
            names.categories().forEach(resource.putArray("categories")::add);
        }
        return resource;
    }
}

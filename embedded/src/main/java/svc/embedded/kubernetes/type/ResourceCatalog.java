package svc.embedded.kubernetes.type;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import svc.embedded.kubernetes.store.Change;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.store.Scope;
import svc.embedded.kubernetes.store.StoredObject;

/** All resources that are served now: the built-in ones, and those of the definitions in the store. */
public final class ResourceCatalog {
    /** Where CustomResourceDefinitions are kept. */
    public static final Scope DEFINITIONS = new Scope(BuiltInTypes.CRD_GROUP, BuiltInTypes.CRDS, Optional.empty());

    private final List<ResourceType> builtIn = BuiltInTypes.all();
    private final Map<String, ResourceType> custom = new ConcurrentSkipListMap<>();

    /** The catalog of a store; it follows the store's definitions from now on, before their writer is answered. */
    public static ResourceCatalog following(ObjectStore store) {
        ResourceCatalog catalog = new ResourceCatalog();
        store.list(DEFINITIONS).objects().forEach(catalog::define);
        store.listen(change -> {
            if (DEFINITIONS.contains(change.object().key())) {
                if (change.type() == Change.Type.DELETED) {
                    catalog.custom.remove(change.object().key().name());
                } else {
                    catalog.define(change.object());
                }
            }
        });
        return catalog;
    }

    /** The resource and version of a path. */
    public Optional<Served> find(String group, String version, String plural) {
        return types().filter(type ->
                        type.group().equals(group) && type.names().plural().equals(plural))
                .findFirst()
                .flatMap(type -> type.version(version).map(served -> new Served(type, served)));
    }

    /** The resource of a kind, whatever its version: owner references outlive versions. */
    public Optional<ResourceType> findKind(String apiVersion, String kind) {
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        return types().filter(type ->
                        type.group().equals(group) && type.names().kind().equals(kind))
                .findFirst();
    }

    /** The resource whose objects are kept under a group and plural name. */
    public Optional<ResourceType> findStored(String storageGroup, String plural) {
        return types().filter(type -> type.group().equals(storageGroup)
                        && type.names().plural().equals(plural))
                .findFirst();
    }

    public Stream<ResourceType> types() {
        return Stream.concat(builtIn.stream(), custom.values().stream());
    }

    private void define(StoredObject definition) {
        custom.put(definition.key().name(), CustomTypes.of(definition.body()));
    }
}

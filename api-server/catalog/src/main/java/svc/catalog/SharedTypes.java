package svc.catalog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The server's own types, of which there are a few hundred: held once for all projects. Of databases with different
 * versions each keeps its own, because only what is equal is shared.
 */
final class SharedTypes {
    private final Map<DataType, DataType> builtin = new ConcurrentHashMap<>();

    DataType shared(DataType type) {
        return type.id().schema().equals("pg_catalog") ? builtin.computeIfAbsent(type, same -> same) : type;
    }
}

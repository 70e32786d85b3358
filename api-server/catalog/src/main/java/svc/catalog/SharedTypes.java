package svc.catalog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The built-in types, a few hundred, shared by all projects. Databases of different PostgreSQL versions share only the
 * types that are equal.
 */
final class SharedTypes {
    private final Map<DataType, DataType> builtin = new ConcurrentHashMap<>();

    DataType shared(DataType type) {
        return type.id().schema().equals("pg_catalog") ? builtin.computeIfAbsent(type, same -> same) : type;
    }
}

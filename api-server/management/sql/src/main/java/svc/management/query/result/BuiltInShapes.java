package svc.management.query.result;

import static svc.management.query.result.ValueKind.BOOLEAN;
import static svc.management.query.result.ValueKind.JSON;
import static svc.management.query.result.ValueKind.NUMBER;
import static svc.management.query.result.ValueKind.TEXT;
import static svc.management.query.result.ValueKind.TIMESTAMP;
import static svc.management.query.result.ValueKind.TIMESTAMP_WITH_ZONE;

import java.util.Map;

/** Shapes of the built-in types, which have the same OID on every server (PostgreSQL's {@code pg_type.dat}). */
final class BuiltInShapes {
    private static final Map<Integer, ValueKind> SCALARS = Map.ofEntries(
            Map.entry(16, BOOLEAN),
            Map.entry(20, NUMBER),
            Map.entry(21, NUMBER),
            Map.entry(23, NUMBER),
            Map.entry(700, NUMBER),
            Map.entry(701, NUMBER),
            Map.entry(1700, NUMBER),
            Map.entry(114, JSON),
            Map.entry(3802, JSON),
            Map.entry(1082, TEXT),
            Map.entry(1114, TIMESTAMP),
            Map.entry(1184, TIMESTAMP_WITH_ZONE));

    private static final Map<Integer, ValueKind> ARRAYS = Map.ofEntries(
            Map.entry(1000, BOOLEAN),
            Map.entry(1005, NUMBER),
            Map.entry(1007, NUMBER),
            Map.entry(1016, NUMBER),
            Map.entry(1021, NUMBER),
            Map.entry(1022, NUMBER),
            Map.entry(1231, NUMBER),
            Map.entry(199, JSON),
            Map.entry(3807, JSON),
            Map.entry(1182, TEXT),
            Map.entry(1115, TIMESTAMP),
            Map.entry(1185, TIMESTAMP_WITH_ZONE),
            // char, name, text, bpchar, varchar, bytea, oid, uuid, xml
            Map.entry(1002, TEXT),
            Map.entry(1003, TEXT),
            Map.entry(1009, TEXT),
            Map.entry(1014, TEXT),
            Map.entry(1015, TEXT),
            Map.entry(1001, TEXT),
            Map.entry(1028, TEXT),
            Map.entry(2951, TEXT),
            Map.entry(143, TEXT),
            // time, timetz, interval, money, bit, varbit
            Map.entry(1183, TEXT),
            Map.entry(1270, TEXT),
            Map.entry(1187, TEXT),
            Map.entry(791, TEXT),
            Map.entry(1561, TEXT),
            Map.entry(1563, TEXT),
            // inet, cidr, macaddr, macaddr8
            Map.entry(1041, TEXT),
            Map.entry(651, TEXT),
            Map.entry(1040, TEXT),
            Map.entry(775, TEXT),
            // point, lseg, path, polygon, circle, line
            Map.entry(1017, TEXT),
            Map.entry(1018, TEXT),
            Map.entry(1019, TEXT),
            Map.entry(1027, TEXT),
            Map.entry(719, TEXT),
            Map.entry(629, TEXT),
            // ranges and multiranges of int4, num, ts, tstz, date, int8
            Map.entry(3905, TEXT),
            Map.entry(3907, TEXT),
            Map.entry(3909, TEXT),
            Map.entry(3911, TEXT),
            Map.entry(3913, TEXT),
            Map.entry(3927, TEXT),
            Map.entry(6150, TEXT),
            Map.entry(6151, TEXT),
            Map.entry(6152, TEXT),
            Map.entry(6153, TEXT),
            Map.entry(6155, TEXT),
            Map.entry(6157, TEXT),
            // tsvector, tsquery, jsonpath, regclass, regtype, regproc, regrole, regnamespace
            Map.entry(3643, TEXT),
            Map.entry(3645, TEXT),
            Map.entry(4073, TEXT),
            Map.entry(2210, TEXT),
            Map.entry(2211, TEXT),
            Map.entry(1008, TEXT),
            Map.entry(4097, TEXT),
            Map.entry(4090, TEXT));

    private static final Map<Integer, Shape> SPECIAL = Map.of(
            // int2vector, oidvector, and arrays of them
            22, new Shape.Vector(NUMBER),
            30, new Shape.Vector(TEXT),
            1006, new Shape.Array(new Shape.Vector(NUMBER), ','),
            1013, new Shape.Array(new Shape.Vector(TEXT), ','),
            // box: the only type with a delimiter of its own
            1020, new Shape.Array(Shape.TEXT, ';'));

    private BuiltInShapes() {}

    /** Text for an unknown OID. */
    static Shape shape(int oid) {
        if (SCALARS.containsKey(oid)) {
            return new Shape.Scalar(SCALARS.get(oid));
        }
        if (ARRAYS.containsKey(oid)) {
            return new Shape.Array(new Shape.Scalar(ARRAYS.get(oid)), ',');
        }
        return SPECIAL.getOrDefault(oid, Shape.TEXT);
    }
}

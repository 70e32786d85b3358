package svc.management.postgres.value;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The built-in types whose values can travel in PostgreSQL's binary format here, and their numbers in {@code pg_type}. */
public enum WireType {
    BOOL(16, 1000, 1, "boolean"),
    BYTEA(17, 1001, -1, "bytea"),
    NAME(19, 1003, 64, "name"),
    INT8(20, 1016, 8, "bigint"),
    INT2(21, 1005, 2, "smallint"),
    INT4(23, 1007, 4, "integer"),
    TEXT(25, 1009, -1, "text"),
    OID(26, 1028, 4, "oid"),
    JSON(114, 199, -1, "json"),
    FLOAT4(700, 1021, 4, "real"),
    FLOAT8(701, 1022, 8, "double precision"),
    UNKNOWN(705, 0, -2, "unknown"),
    BPCHAR(1042, 1014, -1, "character"),
    VARCHAR(1043, 1015, -1, "character varying"),
    DATE(1082, 1182, 4, "date"),
    TIME(1083, 1183, 8, "time without time zone"),
    TIMESTAMP(1114, 1115, 8, "timestamp without time zone"),
    TIMESTAMPTZ(1184, 1185, 8, "timestamp with time zone"),
    NUMERIC(1700, 1231, -1, "numeric"),
    UUID(2950, 2951, 16, "uuid"),
    JSONB(3802, 3807, -1, "jsonb");

    private static final Map<Integer, WireType> BY_OID =
            Arrays.stream(values()).collect(Collectors.toMap(type -> type.oid, Function.identity()));
    private static final Map<Integer, WireType> BY_ARRAY = Arrays.stream(values())
            .filter(type -> type.arrayOid != 0)
            .collect(Collectors.toMap(type -> type.arrayOid, Function.identity()));
    private static final Map<String, WireType> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(type -> type.sqlName, Function.identity()));

    private final int oid;
    private final int arrayOid;
    private final int length;
    private final String sqlName;

    WireType(int oid, int arrayOid, int length, String sqlName) {
        this.oid = oid;
        this.arrayOid = arrayOid;
        this.length = length;
        this.sqlName = sqlName;
    }

    public int oid() {
        return oid;
    }

    public static Optional<WireType> of(int oid) {
        return Optional.ofNullable(BY_OID.get(oid));
    }

    /** The type of the elements of an array type. */
    static Optional<WireType> ofElements(int arrayOid) {
        return Optional.ofNullable(BY_ARRAY.get(arrayOid));
    }

    /** @param name as {@code format_type} writes it */
    static Optional<WireType> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** {@code typlen}; -1 for a type of another length, and for one that is not known here. */
    public static int length(int oid) {
        return of(oid).map(type -> type.length).orElse(-1);
    }

    /** Whether values of this type can travel in the binary format. */
    public static boolean hasBinary(int oid) {
        return of(oid).isPresent() || ofElements(oid).isPresent();
    }

    /** Whether a client may declare a parameter to be of this type or an array of it: ordinary values, no names of objects. */
    public static boolean declarable(int oid) {
        return of(oid).filter(type -> type != UNKNOWN).isPresent()
                || ofElements(oid).isPresent();
    }
}

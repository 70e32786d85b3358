package svc.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.catalog.CatalogSnapshot.CastRow;
import svc.catalog.CatalogSnapshot.TypeRow;

/** The types of a snapshot, by OID. */
final class SnapshotTypes {
    private static final int NO_LENGTH = -1;

    /** What the typmod of {@code varchar(n)} and {@code char(n)} adds to n. */
    private static final int TEXT_HEADER = 4;

    private final Map<Long, TypeRow> rows = new HashMap<>();
    private final Map<Long, DataType> types = new HashMap<>();
    private final Map<String, DataType> modified = new HashMap<>();
    private final SharedTypes shared;

    /** @param shared built-in types of all schemas */
    SnapshotTypes(List<TypeRow> found, SharedTypes shared) {
        this.shared = shared;
        found.forEach(row -> rows.put(row.oid(), row));
    }

    DataType type(long oid) {
        DataType known = types.get(oid);
        if (known == null) {
            known = make(row(oid));
            types.put(oid, known);
        }
        return known;
    }

    /** A type that is displayed with a modifier; one instance for all columns with the same. */
    DataType modified(long oid, String displayed) {
        return modified.computeIfAbsent(displayed, text -> type(oid).displayedAs(text));
    }

    /**
     * Whether a type and the base types of a domain exist. Catalogs of adopted databases may refer to dropped types; what
     * uses one is left out, so that the rest can be used.
     */
    boolean has(long oid) {
        for (TypeRow row = rows.get(oid); row != null; row = rows.get(row.base())) {
            if (row.base() == 0) {
                return true;
            }
        }
        return false;
    }

    private TypeRow row(long oid) {
        TypeRow row = rows.get(oid);
        if (row == null) {
            throw new IllegalStateException("the catalog refers to an unknown type " + oid);
        }
        return row;
    }

    /** The relation whose row type this is, or is a domain over. */
    Optional<Long> relation(long oid) {
        TypeRow bottom = chain(oid).getLast();
        return bottom.relation() == 0 ? Optional.empty() : Optional.of(bottom.relation());
    }

    /** Whether a domain, or a domain below it, is NOT NULL. */
    boolean isNotNull(long oid) {
        return chain(oid).stream().anyMatch(TypeRow::notNull);
    }

    /** The default of the nearest domain with a default. */
    Optional<String> defaultValue(long oid) {
        return chain(oid).stream()
                .map(TypeRow::defaultValue)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Maximum number of characters or bits of a value. */
    Optional<Integer> maxLength(long oid, int typmod) {
        int declared = typmod;
        List<TypeRow> chain = chain(oid);
        for (TypeRow row : chain) {
            declared = declared == NO_LENGTH ? row.typmod() : declared;
        }
        if (declared == NO_LENGTH) {
            return Optional.empty();
        }
        return switch (chain.getLast().name()) {
            case "varchar", "bpchar" -> Optional.of(declared - TEXT_HEADER);
            case "bit", "varbit" -> Optional.of(declared);
            default -> Optional.empty();
        };
    }

    /** A type and the base types below it, down to a type that is not a domain. */
    private List<TypeRow> chain(long oid) {
        List<TypeRow> chain = new ArrayList<>();
        for (TypeRow row = row(oid); ; row = row(row.base())) {
            chain.add(row);
            if (row.base() == 0) {
                return chain;
            }
        }
    }

    private DataType make(TypeRow row) {
        var type = new DataType(
                new QualifiedIdentifier(row.schema(), row.name()),
                row.displayed(),
                form(row.form()),
                row.base() == 0
                        ? Optional.empty()
                        : Optional.of(type(chain(row.oid()).getLast().oid())),
                Optional.of(row.element())
                        .filter(rows::containsKey)
                        .filter(this::has)
                        .map(this::type),
                row.labels(),
                row.comment(),
                representations(row.casts()));
        return shared.shared(type);
    }

    private static DataType.Form form(String form) {
        return switch (form) {
            case "a" -> DataType.Form.ARRAY;
            case "c" -> DataType.Form.COMPOSITE;
            case "d" -> DataType.Form.DOMAIN;
            case "e" -> DataType.Form.ENUM;
            case "p" -> DataType.Form.PSEUDO;
            case "r", "m" -> DataType.Form.RANGE;
            default -> DataType.Form.BASE;
        };
    }

    private static DataType.Representations representations(List<CastRow> casts) {
        return casts.isEmpty()
                ? DataType.Representations.NONE
                : new DataType.Representations(
                        cast(casts, "to", "json"), cast(casts, "from", "json"), cast(casts, "from", "text"));
    }

    private static Optional<QualifiedIdentifier> cast(List<CastRow> casts, String direction, String other) {
        return casts.stream()
                .filter(cast ->
                        cast.direction().equals(direction) && cast.other().equals(other))
                .map(CastRow::function)
                .findFirst();
    }
}

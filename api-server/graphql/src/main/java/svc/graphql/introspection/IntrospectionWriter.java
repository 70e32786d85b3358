package svc.graphql.introspection;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import graphql.language.SelectionSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.graphql.document.FieldCollector;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.introspection.TypeDef.EnumDef;
import svc.graphql.introspection.TypeDef.FieldDef;
import svc.graphql.introspection.TypeDef.InputDef;
import svc.graphql.request.RequestMemory;

/** Writes the answer to one introspection field. Bounded in depth and in the number of values. */
final class IntrospectionWriter {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int MAX_DEPTH = 20;
    private static final int MAX_VALUES = 3_000_000;
    private static final int STEP = 256 * 1024;
    private static final Optional<String> NO_TEXT = Optional.empty();

    private final Map<String, TypeDef> types;
    private final FieldCollector collector;
    private final Map<List<SelectionSet>, Map<String, List<SelectedField>>> collected = new IdentityHashMap<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final JsonGenerator out;
    private final RequestMemory memory;
    private long held;
    private int values;
    private int depth;

    private IntrospectionWriter(Map<String, TypeDef> types, FieldCollector collector, RequestMemory memory)
            throws IOException {
        this.memory = memory;
        this.types = types;
        this.collector = collector;
        this.out = JSON.createGenerator(bytes);
    }

    /**
     * The answer as JSON text.
     *
     * @param memory holds it: descriptions are of any length, and aliases repeat them
     * @throws GraphqlError for unknown fields, and for a larger answer than the limits allow
     */
    static byte[] write(
            Map<String, TypeDef> types, FieldCollector collector, SelectedField field, RequestMemory memory) {
        try {
            var writer = new IntrospectionWriter(types, collector, memory);
            writer.root(field);
            writer.out.close();
            return writer.bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("while writing introspection", e);
        }
    }

    private void root(SelectedField field) throws IOException {
        if (field.name().equals("__schema")) {
            object(field, "__Schema", this::schema);
            return;
        }
        String name = field.argument("name")
                .filter(value -> value.isTextual())
                .map(value -> value.textValue())
                .orElseThrow(() -> new GraphqlError("Missing required argument \"name\""));
        TypeDef type = types.get(name);
        if (type == null) {
            subfields(field, "__Type");
            out.writeNull();
        } else {
            type(field, new TypeRef.Named(name));
        }
    }

    @FunctionalInterface
    private interface Member {
        /** Writes a field's value, false if there is no such field. */
        boolean write(SelectedField field) throws IOException;
    }

    private void object(SelectedField field, String typeName, Member member) throws IOException {
        if (++depth > MAX_DEPTH) {
            throw new GraphqlError("Introspection is nested more than " + MAX_DEPTH + " deep");
        }
        out.writeStartObject();
        for (SelectedField one : subfields(field, typeName)) {
            if (++values > MAX_VALUES) {
                throw new GraphqlError("The answer has more than " + MAX_VALUES + " values");
            }
            hold();
            out.writeFieldName(one.key());
            if (one.name().equals("__typename")) {
                out.writeString(typeName);
            } else if (!member.write(one)) {
                throw new GraphqlError("Unknown field '" + one.name() + "' on type '" + typeName + "'");
            }
        }
        out.writeEndObject();
        depth--;
    }

    private void hold() {
        if (bytes.size() > held) {
            memory.hold(STEP);
            held += STEP;
        }
    }

    /** Collected once for each place in the document, however many objects it is answered for. */
    private List<SelectedField> subfields(SelectedField field, String typeName) {
        if (field.selections().isEmpty()) {
            throw new GraphqlError("Field '" + field.name() + "' must have a selection of subfields");
        }
        return collected
                .computeIfAbsent(field.selections(), unused -> new HashMap<>())
                .computeIfAbsent(typeName, type -> collector.collect(field.selections(), Set.of(type)));
    }

    private <T> void list(SelectedField field, String typeName, Collection<T> elements, Element<T> element)
            throws IOException {
        out.writeStartArray();
        for (T one : elements) {
            object(field, typeName, member -> element.write(one, member));
        }
        out.writeEndArray();
    }

    @FunctionalInterface
    private interface Element<T> {
        boolean write(T element, SelectedField field) throws IOException;
    }

    private boolean schema(SelectedField field) throws IOException {
        switch (field.name()) {
            case "description", "subscriptionType" -> out.writeNull();
            case "queryType" -> type(field, new TypeRef.Named("Query"));
            case "mutationType" -> {
                if (types.containsKey("Mutation")) {
                    type(field, new TypeRef.Named("Mutation"));
                } else {
                    out.writeNull();
                }
            }
            case "types" -> types(field, types.keySet());
            case "directives" -> list(field, "__Directive", List.of("include", "skip"), this::directive);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void types(SelectedField field, Collection<String> names) throws IOException {
        out.writeStartArray();
        for (String name : names) {
            type(field, new TypeRef.Named(name));
        }
        out.writeEndArray();
    }

    private boolean directive(String name, SelectedField field) throws IOException {
        switch (field.name()) {
            case "name" -> out.writeString(name);
            case "description" ->
                out.writeString(
                        name.equals("skip")
                                ? "Directs the executor to skip this field or fragment when the `if` argument is true."
                                : "Directs the executor to include this field or fragment only when the `if` argument"
                                        + " is true.");
            case "isRepeatable" -> out.writeBoolean(false);
            case "locations" -> {
                out.writeStartArray();
                for (String location : MetaTypes.LOCATIONS) {
                    out.writeString(location);
                }
                out.writeEndArray();
            }
            case "args" ->
                list(
                        field,
                        "__InputValue",
                        List.of(InputDef.of("if", new TypeRef.Named("Boolean").nonNull())),
                        this::input);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void type(SelectedField field, TypeRef type) throws IOException {
        switch (type) {
            case TypeRef.NonNull(TypeRef of) -> object(field, "__Type", one -> wrapper(one, TypeDef.Kind.NON_NULL, of));
            case TypeRef.ListOf(TypeRef of) -> object(field, "__Type", one -> wrapper(one, TypeDef.Kind.LIST, of));
            case TypeRef.Named(String name) -> {
                TypeDef known = types.get(name);
                object(field, "__Type", one -> named(one, known));
            }
        }
    }

    private boolean wrapper(SelectedField field, TypeDef.Kind kind, TypeRef of) throws IOException {
        switch (field.name()) {
            case "kind" -> out.writeString(kind.name());
            case "ofType" -> type(field, of);
            case "name",
                    "description",
                    "specifiedByURL",
                    "fields",
                    "interfaces",
                    "possibleTypes",
                    "enumValues",
                    "inputFields",
                    "isOneOf" -> out.writeNull();
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean named(SelectedField field, TypeDef type) throws IOException {
        TypeDef.Kind kind = type.kind();
        switch (field.name()) {
            case "kind" -> out.writeString(kind.name());
            case "name" -> out.writeString(type.name());
            case "description" -> text(type.description());
            case "ofType", "specifiedByURL" -> out.writeNull();
            case "isOneOf" -> onlyIf(kind == TypeDef.Kind.INPUT_OBJECT, () -> out.writeBoolean(false));
            case "fields" -> onlyIf(hasFields(kind), () -> list(field, "__Field", type.fields(), this::field));
            case "interfaces" -> onlyIf(hasFields(kind), () -> types(field, type.interfaces()));
            case "possibleTypes" -> onlyIf(kind == TypeDef.Kind.INTERFACE, () -> types(field, type.possibleTypes()));
            case "enumValues" ->
                onlyIf(kind == TypeDef.Kind.ENUM, () -> list(field, "__EnumValue", type.values(), this::value));
            case "inputFields" ->
                onlyIf(
                        kind == TypeDef.Kind.INPUT_OBJECT,
                        () -> list(field, "__InputValue", type.inputs(), this::input));
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean hasFields(TypeDef.Kind kind) {
        return kind == TypeDef.Kind.OBJECT || kind == TypeDef.Kind.INTERFACE;
    }

    @FunctionalInterface
    private interface Writing {
        void write() throws IOException;
    }

    /** Null where the kind of type has no such thing. */
    private void onlyIf(boolean applies, Writing writing) throws IOException {
        if (applies) {
            writing.write();
        } else {
            out.writeNull();
        }
    }

    private boolean field(FieldDef def, SelectedField field) throws IOException {
        switch (field.name()) {
            case "args" -> list(field, "__InputValue", def.arguments(), this::input);
            case "type" -> type(field, def.type());
            default -> {
                return described(field, def.name(), def.description());
            }
        }
        return true;
    }

    private boolean input(InputDef def, SelectedField field) throws IOException {
        switch (field.name()) {
            case "type" -> type(field, def.type());
            case "defaultValue" -> text(def.defaultValue());
            default -> {
                return described(field, def.name(), def.description());
            }
        }
        return true;
    }

    private boolean value(EnumDef def, SelectedField field) throws IOException {
        return described(field, def.name(), def.description());
    }

    private boolean described(SelectedField field, String name, Optional<String> description) throws IOException {
        switch (field.name()) {
            case "name" -> out.writeString(name);
            case "description" -> text(description);
            case "isDeprecated" -> out.writeBoolean(false);
            case "deprecationReason" -> text(NO_TEXT);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void text(Optional<String> text) throws IOException {
        if (text.isPresent()) {
            out.writeString(text.get());
        } else {
            out.writeNull();
        }
    }
}

package svc.embedded.kubernetes.protobuf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import svc.embedded.kubernetes.json.Json;

/** One message of the Kubernetes API: which field number has which name and type. */
record ProtobufMessage(String name, Map<Integer, Field> fields) {
    private record Field(String name, String type, boolean repeated) {}

    /** All messages of {@code messages.txt}. */
    static Map<String, ProtobufMessage> known() {
        try (InputStream text = ProtobufMessage.class.getResourceAsStream("messages.txt")) {
            Map<String, ProtobufMessage> messages = new HashMap<>();
            new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(ProtobufMessage::parse)
                    .forEach(message -> messages.put(message.name(), message));
            return Map.copyOf(messages);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading messages.txt", e);
        }
    }

    private static ProtobufMessage parse(String line) {
        String[] parts = line.split(": ", 2);
        Map<Integer, Field> fields = new HashMap<>();
        for (String declared : parts[1].split(", ")) {
            String[] field = declared.split(" ");
            boolean repeated = field[2].endsWith("*");
            fields.put(Integer.valueOf(field[0]), new Field(field[1], field[2].replace("*", ""), repeated));
        }
        return new ProtobufMessage(parts[0], Map.copyOf(fields));
    }

    /** Reads a message to its end. Texts that are empty are left out, as they are in JSON. */
    void read(CodedInputStream in, ObjectNode into, Map<String, ProtobufMessage> known) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            Field field = fields.get(WireFormat.getTagFieldNumber(tag));
            if (field == null) {
                // The status of a kind is the server's to say.
                if (WireFormat.getTagFieldNumber(tag) != 3 || !fields.containsKey(2)) {
                    throw ProtobufBody.unknown("%s with field %d".formatted(name, WireFormat.getTagFieldNumber(tag)));
                }
                in.skipField(tag);
                continue;
            }
            switch (field.type()) {
                case "ignored" -> in.skipField(tag);
                case "bool" -> into.put(field.name(), in.readBool());
                case "int" -> into.put(field.name(), in.readInt64());
                case "string" -> text(in.readString(), field, into);
                case "map/string", "map/bytes" -> entry(in.readByteArray(), field, into);
                default -> {
                    ObjectNode child = Json.object();
                    known.get(field.type()).read(CodedInputStream.newInstance(in.readByteArray()), child, known);
                    if (field.repeated()) {
                        into.withArray(field.name()).add(child);
                    } else if (!child.isEmpty()) {
                        into.set(field.name(), child);
                    }
                }
            }
        }
    }

    private static void text(String value, Field field, ObjectNode into) {
        if (field.repeated()) {
            into.withArray(field.name()).add(value);
        } else if (!value.isEmpty()) {
            into.put(field.name(), value);
        }
    }

    private static void entry(byte[] bytes, Field field, ObjectNode into) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        String key = "";
        String value = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == 1) {
                key = in.readString();
            } else if (field.type().equals("map/bytes")) {
                value = Base64.getEncoder().encodeToString(in.readByteArray());
            } else {
                value = in.readString();
            }
        }
        Json.child(into, field.name()).put(key, value);
    }
}

package svc.management.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.MultiMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The revision of the protocol that a message follows. Those of 2025 begin with {@code initialize}; that of 2026 has no
 * beginning: each message names its revision, its client and what that can do.
 */
enum Revision {
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25"),
    V2026_07_28("2026-07-28");

    private static final String HEADER = "MCP-Protocol-Version";
    private static final String METHOD = "Mcp-Method";
    private static final String NAME = "Mcp-Name";
    private static final String META = "io.modelcontextprotocol/";

    private final String wire;

    Revision(String wire) {
        this.wire = wire;
    }

    String wire() {
        return wire;
    }

    /** Whether each message stands alone. */
    boolean isStateless() {
        return this == V2026_07_28;
    }

    private static Optional<Revision> ofWire(String text) {
        return List.of(values()).stream()
                .filter(revision -> revision.wire.equals(text))
                .findFirst();
    }

    /** What {@code initialize} agrees on: the client's revision, or the newest that begins so. */
    static Revision agreed(String asked) {
        return ofWire(asked).filter(revision -> !revision.isStateless()).orElse(V2025_11_25);
    }

    /** @throws RpcError for an unknown revision, and for headers that say something else than the body */
    static Revision of(RpcMessage message, MultiMap headers) {
        String header = headers.get(HEADER);
        String meta = meta(message, "protocolVersion").textValue();
        String named = meta != null ? meta : header;
        if (named == null) {
            // Before initialize has agreed on one.
            return V2025_06_18;
        }
        Revision revision = ofWire(named).orElseThrow(() -> unsupported(named));
        if (meta != null && header != null && !meta.equals(header)) {
            throw mismatch(HEADER, header, meta);
        }
        if (revision.isStateless()) {
            requireHeaders(message, headers, header);
        }
        return revision;
    }

    private static void requireHeaders(RpcMessage message, MultiMap headers, String version) {
        if (version == null) {
            throw mismatch(HEADER, null, V2026_07_28.wire);
        }
        if (message.method().isEmpty()) {
            return;
        }
        if (meta(message, "protocolVersion").isMissingNode()) {
            throw RpcError.refused(
                    RpcError.INVALID_PARAMS, "Invalid params: _meta must have " + META + "protocolVersion");
        }
        String method = message.method().get();
        if (!method.equals(headers.get(METHOD))) {
            throw mismatch(METHOD, headers.get(METHOD), method);
        }
        String name = message.params().path("name").textValue();
        if (method.equals("tools/call") && name != null && !name.equals(headers.get(NAME))) {
            throw mismatch(NAME, headers.get(NAME), name);
        }
    }

    private static RpcError mismatch(String name, String header, String body) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.putObject("mismatch").put("name", name).put("header", header).put("body", body);
        return RpcError.refused(
                RpcError.HEADER_MISMATCH,
                "Bad request: the header " + name + " and the body disagree: the body says " + body,
                data);
    }

    private static RpcError unsupported(String version) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        List.of(values()).forEach(revision -> data.withArray("supported").add(revision.wire));
        return RpcError.refused(
                RpcError.UNSUPPORTED_VERSION, "Unsupported protocol version", data.put("requested", version));
    }

    /** How the client can ask its user, and then send the message again. Without a mode it can show a form. */
    Set<Elicitation> elicitations(RpcMessage message) {
        JsonNode offered = meta(message, "clientCapabilities").path("elicitation");
        Set<Elicitation> can = EnumSet.noneOf(Elicitation.class);
        if (isStateless() && !offered.isMissingNode() && (offered.has("form") || !offered.has("url"))) {
            can.add(Elicitation.FORM);
        }
        if (isStateless() && offered.has("url")) {
            can.add(Elicitation.PAGE);
        }
        return can;
    }

    private static JsonNode meta(RpcMessage message, String name) {
        return message.params().path("_meta").path(META + name);
    }
}

package svc.management.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** An error of JSON-RPC or of the protocol; errors of tools are results. */
final class RpcError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final int PARSE = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL = -32603;

    /** Headers and body disagree; 2026-07-28. */
    static final int HEADER_MISMATCH = -32020;

    /** 2026-07-28. */
    static final int UNSUPPORTED_VERSION = -32022;

    private static final int BAD_REQUEST = 400;
    private static final int OK = 200;

    private final int code;
    private final int status;
    private final transient JsonNode data;

    private RpcError(int code, int status, String message, JsonNode data) {
        super(message, null, false, false);
        this.code = code;
        this.status = status;
        this.data = data;
    }

    /** Of a message that cannot be understood: HTTP 400. */
    static RpcError refused(int code, String message) {
        return new RpcError(code, BAD_REQUEST, message, JsonNodeFactory.instance.missingNode());
    }

    static RpcError refused(int code, String message, JsonNode data) {
        return new RpcError(code, BAD_REQUEST, message, data);
    }

    /** Of a call that was understood. */
    static RpcError of(int code, String message) {
        return new RpcError(code, OK, message, JsonNodeFactory.instance.missingNode());
    }

    int code() {
        return code;
    }

    int status() {
        return status;
    }

    JsonNode data() {
        return data;
    }
}

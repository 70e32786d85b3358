package svc.database.key;

import java.util.Optional;

/** The keys and tokens that people and programs present, each with its own prefix and all in {@link ChecksummedText}. */
public enum KeyKind {
    /** Derived; public by nature: it is in every browser. */
    ANON("svc_anon_"),
    /** Derived; passes row security. */
    SERVICE("svc_service_"),
    /** Random; a personal access token. Stored as a hash, so it is encoded here but never derived. */
    PAT("svc_pat_"),
    /** Random; a token of the editor-integrated MCP server. */
    MCP("svc_mcp_");

    private final ChecksummedText format;

    KeyKind(String prefix) {
        this.format = new ChecksummedText(prefix);
    }

    public String prefix() {
        return format.prefix();
    }

    public ChecksummedText format() {
        return format;
    }

    /** The kind of a well-formed key; empty for garbage, decided without any derivation. */
    public static Optional<KeyKind> of(String presented) {
        for (KeyKind kind : values()) {
            if (kind.format.accepts(presented)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}

package svc.management.postgres;

/**
 * A message of a client.
 *
 * @param type as in PostgreSQL's "Message Formats"
 */
record ClientMessage(char type, byte[] content) {
    /** Heap of a message beside its content. */
    static final int COST = 64;

    /** Stands for the end of the connection. */
    static final ClientMessage END = new ClientMessage('X', new byte[0]);

    Fields fields() {
        return new Fields(content);
    }

    /** Without the content, which may hold a password. */
    @Override
    public String toString() {
        return "ClientMessage[" + type + ", " + content.length + " bytes]";
    }
}

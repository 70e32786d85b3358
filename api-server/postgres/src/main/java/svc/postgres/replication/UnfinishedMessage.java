package svc.postgres.replication;

import java.nio.ByteBuffer;

/**
 * A message of a block between {@link LogMessage.StreamStart} and {@link LogMessage.StreamStop}.
 *
 * @param transaction the transaction, or the part of it behind a savepoint, that it belongs to
 * @param message as outside of a block
 */
public record UnfinishedMessage(int transaction, ByteBuffer message) {
    private static final int PREFIX = 1 + Integer.BYTES;

    /**
     * Takes the number out of a message, in place: copies nothing.
     *
     * @param bytes from the buffer's position to its limit; overwritten
     * @throws MalformedLogException when it is too short to have a number
     */
    public static UnfinishedMessage of(ByteBuffer bytes) {
        if (bytes.remaining() < PREFIX) {
            throw new MalformedLogException("the message is cut off");
        }
        int transaction = bytes.getInt(bytes.position() + 1);
        byte kind = bytes.get(bytes.position());
        ByteBuffer message = bytes.slice(bytes.position() + Integer.BYTES, bytes.remaining() - Integer.BYTES);
        return new UnfinishedMessage(transaction, message.put(0, kind));
    }
}

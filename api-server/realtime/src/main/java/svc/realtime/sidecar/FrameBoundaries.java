package svc.realtime.sidecar;

import io.vertx.core.buffer.Buffer;

/**
 * Where the frames of a server's WebSocket begin and end (RFC 6455, 5.2), in a stream of bytes that is passed on without
 * being understood: only between two frames a close frame may be added. Pure, but for its place in the stream.
 */
final class FrameBoundaries {
    private static final int OPCODE = 0x0f;
    private static final int CLOSE = 0x8;
    private static final int LENGTH = 0x7f;
    private static final int MASKED = 0x80;
    private static final int SHORT_LENGTH = 126;
    private static final int LONG_LENGTH = 127;
    private static final int MASK_BYTES = 4;

    /** What is left of the payload. */
    private long payload;

    /** Bytes of the head so far: the first two, and the longer forms of the length. */
    private int head;

    private int missing;
    private long length;
    private boolean masked;
    private boolean closing;

    /** Follows what the server has sent. */
    void pass(Buffer piece) {
        int at = 0;
        while (at < piece.length()) {
            if (payload > 0) {
                long skipped = Math.min(payload, piece.length() - at);
                payload -= skipped;
                at += (int) skipped;
            } else {
                read(piece.getByte(at) & 0xff);
                at++;
            }
        }
    }

    private void read(int octet) {
        if (head == 0) {
            closing |= (octet & OPCODE) == CLOSE;
            head = 1;
        } else if (head == 1) {
            masked = (octet & MASKED) != 0;
            int form = octet & LENGTH;
            missing = form == SHORT_LENGTH ? 2 : form == LONG_LENGTH ? 8 : 0;
            length = missing == 0 ? form : 0;
            head = 2;
            end();
        } else {
            length = (length << 8) + octet;
            missing--;
            end();
        }
    }

    private void end() {
        if (missing == 0) {
            payload = Math.max(0, length) + (masked ? MASK_BYTES : 0);
            head = 0;
        }
    }

    /** Whether the last frame is complete. */
    boolean isBetween() {
        return head == 0 && payload == 0;
    }

    /** Whether the server has said why it closes. */
    boolean isClosing() {
        return closing;
    }

    /** A server's close frame. */
    static Buffer close(int code, String reason) {
        Buffer text = Buffer.buffer(reason);
        return Buffer.buffer()
                .appendByte((byte) (0x80 | CLOSE))
                .appendByte((byte) (text.length() + 2))
                .appendShort((short) code)
                .appendBuffer(text);
    }
}

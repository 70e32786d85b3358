package svc.postgres.replication;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Shortens a change of a row that is too large to be passed on: values of up to 64 bytes stay, as Supabase's Realtime has it,
 * and the others become {@link LogMessage.Value.Unchanged}. Copies no value that goes.
 */
public final class OversizedChange {
    /** The longest change that is passed on whole, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    private static final int MAX_VALUE = 64;

    private OversizedChange() {}

    /**
     * Shortens an INSERT, UPDATE or DELETE; the buffer is not changed.
     *
     * @throws MalformedLogException when it is none of these
     */
    public static ByteBuffer shorten(ByteBuffer change) {
        ByteBuffer in = change.slice();
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try {
            byte kind = in.get();
            if (kind != 'I' && kind != 'U' && kind != 'D') {
                throw new MalformedLogException("no change of a row begins with the byte " + kind);
            }
            out.write(kind);
            copy(in, out, Integer.BYTES);
            while (in.hasRemaining()) {
                out.write(in.get());
                tuple(in, out);
            }
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new MalformedLogException("the message is cut off");
        }
        return ByteBuffer.wrap(out.toByteArray());
    }

    private static void tuple(ByteBuffer in, ByteArrayOutputStream out) {
        int count = in.getShort(in.position());
        copy(in, out, Short.BYTES);
        for (int i = 0; i < count; i++) {
            byte kind = in.get();
            if (kind != 't') {
                out.write(kind);
                continue;
            }
            int length = in.getInt(in.position());
            if (length < 0 || length > in.remaining() - Integer.BYTES) {
                throw new MalformedLogException("a value of " + length + " bytes");
            }
            if (length > MAX_VALUE) {
                out.write('u');
                in.position(in.position() + Integer.BYTES + length);
            } else {
                out.write(kind);
                copy(in, out, Integer.BYTES + length);
            }
        }
    }

    private static void copy(ByteBuffer in, ByteArrayOutputStream out, int length) {
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        out.writeBytes(bytes);
    }
}

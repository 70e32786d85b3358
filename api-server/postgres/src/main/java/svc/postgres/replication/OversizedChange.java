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
     * Shortens an INSERT, UPDATE or DELETE, whose end may be missing; the buffer is not changed.
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
            byte mark = 0;
            int columns = 0;
            while (in.remaining() > Short.BYTES) {
                mark = in.get();
                columns = in.getShort(in.position());
                out.write(mark);
                copy(in, out, Short.BYTES);
                row(in, columns, out);
            }
            if (mark == 0) {
                throw new BufferUnderflowException();
            }
            if (kind == 'U' && mark != 'N') {
                cutOffRow(columns, out);
            }
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new MalformedLogException("the message is cut off");
        }
        return ByteBuffer.wrap(out.toByteArray());
    }

    /** The end was cut off in the old row: nothing is known of the new one. */
    private static void cutOffRow(int columns, ByteArrayOutputStream out) {
        out.write('N');
        out.write(columns >> 8);
        out.write(columns);
        unchanged(columns, out);
    }

    private static void row(ByteBuffer in, int columns, ByteArrayOutputStream out) {
        for (int i = 0; i < columns; i++) {
            byte kind = in.hasRemaining() ? in.get() : (byte) 'u';
            switch (kind) {
                case 'n', 'u' -> out.write(kind);
                case 't' -> value(in, out);
                default -> throw new MalformedLogException("a value is of the kind " + kind);
            }
        }
    }

    private static void value(ByteBuffer in, ByteArrayOutputStream out) {
        int length = in.remaining() < Integer.BYTES ? Integer.MAX_VALUE : in.getInt(in.position());
        if (length < 0) {
            throw new MalformedLogException("a value of " + length + " bytes");
        }
        if (length > in.remaining() - Integer.BYTES) {
            out.write('u');
            in.position(in.limit());
        } else if (length > MAX_VALUE) {
            out.write('u');
            in.position(in.position() + Integer.BYTES + length);
        } else {
            out.write('t');
            copy(in, out, Integer.BYTES + length);
        }
    }

    private static void unchanged(int columns, ByteArrayOutputStream out) {
        for (int i = 0; i < columns; i++) {
            out.write('u');
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

package svc.postgres.wire;

import io.netty.buffer.ByteBuf;

/** The values of one row, in the server's text format. */
public final class DataRow {
    private DataRow() {}

    /**
     * @return a value for each column, null for SQL's null
     * @throws IndexOutOfBoundsException when the content is shorter than the lengths in it
     */
    public static byte[][] read(ByteBuf content) {
        byte[][] columns = new byte[content.readUnsignedShort()][];
        for (int i = 0; i < columns.length; i++) {
            int length = content.readInt();
            if (length >= 0) {
                columns[i] = new byte[checked(length, content)];
                content.readBytes(columns[i]);
            }
        }
        return columns;
    }

    /** Before memory is taken for it. */
    private static int checked(int length, ByteBuf content) {
        if (length > content.readableBytes()) {
            throw new IndexOutOfBoundsException("a column is longer than its row");
        }
        return length;
    }
}

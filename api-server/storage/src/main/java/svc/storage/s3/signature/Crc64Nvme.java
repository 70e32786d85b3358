package svc.storage.s3.signature;

import java.util.zip.Checksum;

/** CRC-64/NVME: reflected, polynomial 0xad93d23594c93659, all bits inverted before and after. */
final class Crc64Nvme implements Checksum {
    private static final long REFLECTED = 0x9a6c9329ac4bc9b5L;
    private static final long[] TABLE = new long[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            long value = i;
            for (int bit = 0; bit < 8; bit++) {
                value = (value & 1) == 0 ? value >>> 1 : value >>> 1 ^ REFLECTED;
            }
            TABLE[i] = value;
        }
    }

    private long value = -1;

    @Override
    public void update(int one) {
        value = TABLE[(int) (value ^ one) & 0xff] ^ value >>> 8;
    }

    @Override
    public void update(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            update(bytes[i]);
        }
    }

    @Override
    public long getValue() {
        return ~value;
    }

    @Override
    public void reset() {
        value = -1;
    }
}

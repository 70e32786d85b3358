package svc.realtime.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A close frame may be added between two frames, however the bytes come. */
class FrameBoundariesTest {
    private static Buffer frame(int opcode, int payload) {
        Buffer frame = Buffer.buffer().appendByte((byte) (0x80 | opcode));
        if (payload < 126) {
            frame.appendByte((byte) payload);
        } else if (payload < 65_536) {
            frame.appendByte((byte) 126).appendUnsignedShort(payload);
        } else {
            frame.appendByte((byte) 127).appendLong(payload);
        }
        return frame.appendBytes(new byte[payload]);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 65_535, 65_536, 70_000})
    void theEndOfAFrameIsKnownByteByByte(int payload) {
        var ends = new FrameBoundaries();
        Buffer frame = frame(1, payload);
        for (int at = 0; at < frame.length(); at++) {
            assertThat(ends.isBetween()).as("before byte %d", at).isEqualTo(at == 0);
            ends.pass(frame.slice(at, at + 1));
        }
        assertThat(ends.isBetween()).isTrue();
        assertThat(ends.isClosing()).isFalse();
    }

    @Test
    void framesThatArriveTogetherEndTogether() {
        var ends = new FrameBoundaries();
        Buffer all = Buffer.buffer();
        for (int payload : new int[] {3, 0, 200, 66_000, 1}) {
            all.appendBuffer(frame(2, payload));
        }
        ends.pass(all.slice(0, all.length() - 1));
        assertThat(ends.isBetween()).isFalse();
        ends.pass(all.slice(all.length() - 1, all.length()));
        assertThat(ends.isBetween()).isTrue();
    }

    @Test
    void aServerThatClosesIsNotInterrupted() {
        var ends = new FrameBoundaries();
        // The payload of a text is no head.
        ends.pass(Buffer.buffer().appendByte((byte) 0x81).appendByte((byte) 1).appendByte((byte) 0x88));
        assertThat(ends.isClosing()).isFalse();
        ends.pass(FrameBoundaries.close(1012, "Service restart"));
        assertThat(ends.isClosing()).isTrue();
        assertThat(ends.isBetween()).isTrue();
    }
}

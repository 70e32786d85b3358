package svc.bench.realtime;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What clients of the realtime service have received, and how long measured messages were on their way. */
final class RealtimeTally {
    private static final byte[] BEGUN = "\"t\":".getBytes(StandardCharsets.US_ASCII);
    private static final int STEP_MICROS = 50;

    /** Times by steps; the last one has all that took longer: 20 s. */
    private final int[] times = new int[400_000];

    private long measured;
    private long replies;
    private long subscribed;
    private long errors;
    private String firstError = "";

    /** Takes the payload of a message. */
    void received(ByteBuffer in, int from, int length) {
        int at = find(in, from, length);
        if (at >= 0) {
            long begun = 0;
            for (; in.get(at) >= '0' && in.get(at) <= '9'; at++) {
                begun = begun * 10 + in.get(at) - '0';
            }
            long micros = (System.nanoTime() - begun) / 1_000;
            times[(int) Math.clamp(micros / STEP_MICROS, 0, times.length - 1)]++;
            measured++;
            return;
        }
        byte[] bytes = new byte[length];
        in.get(from, bytes);
        other(new String(bytes, StandardCharsets.UTF_8));
    }

    private void other(String text) {
        if (text.contains("\"status\":\"error\"")) {
            errors++;
            firstError = firstError.isEmpty() ? text : firstError;
        } else if (text.contains("Subscribed to PostgreSQL")) {
            subscribed++;
        } else if (text.contains("phx_reply") && !text.contains("\"phoenix\"")) {
            replies++;
        }
    }

    private static int find(ByteBuffer in, int from, int length) {
        int end = from + length - BEGUN.length;
        for (int at = from; at < end; at++) {
            if (in.get(at) == BEGUN[0]
                    && in.get(at + 1) == BEGUN[1]
                    && in.get(at + 2) == BEGUN[2]
                    && in.get(at + 3) == BEGUN[3]) {
                return at + BEGUN.length;
            }
        }
        return -1;
    }

    /** Measured messages. */
    long measured() {
        return measured;
    }

    /** Answers to joins that are no errors. */
    long replies() {
        return replies;
    }

    /** Channels whose table changes flow. */
    long subscribed() {
        return subscribed;
    }

    /** Refusals, and changes that are said to be lost. */
    long errors() {
        return errors;
    }

    /** Of the times, in ms. */
    double percentileMillis(double percent) {
        long rank = (long) Math.ceil(measured * percent / 100);
        int step = 0;
        for (long seen = times[0]; seen < rank; seen += times[step]) {
            step++;
        }
        return (step + 1) * STEP_MICROS / 1e3;
    }

    void clear() {
        Arrays.fill(times, 0);
        measured = 0;
        replies = 0;
        subscribed = 0;
        errors = 0;
        firstError = "";
    }

    @Override
    public String toString() {
        return replies + " replies, " + subscribed + " subscriptions, " + measured + " measured messages, " + errors
                + " errors " + firstError;
    }
}

package svc.bench.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * One measured figure.
 *
 * @param name stable, so that figures of two runs can be compared
 * @param value what was measured, in {@code unit}
 * @param peer what it is compared with; null when it stands alone
 * @param peerValue the peer's measurement of the same run, in the same unit; null without a peer
 * @param ratio value over peerValue; null without a peer
 * @param target what DESIGN or the issue asks for, in words such as {@code <= 15}
 * @param met whether the target is reached
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
@JsonPropertyOrder({"name", "value", "unit", "peer", "peer_value", "ratio", "target", "met"})
public record Figure(
        String name,
        double value,
        String unit,
        String peer,
        @JsonProperty("peer_value") Double peerValue,
        Double ratio,
        String target,
        boolean met) {

    /** A figure that is only watched: nothing asks for a limit. */
    public static Figure watched(String name, double value, String unit) {
        return new Figure(name, value, unit, null, null, null, "-", true);
    }

    /** A figure that must not exceed a limit. */
    public static Figure atMost(String name, double value, String unit, double limit) {
        return new Figure(name, value, unit, null, null, null, "<= " + plain(limit), value <= limit);
    }

    /** A figure that must reach a limit. */
    public static Figure atLeast(String name, double value, String unit, double limit) {
        return new Figure(name, value, unit, null, null, null, ">= " + plain(limit), value >= limit);
    }

    /** A throughput that has to be at least {@code leastRatio} of the peer's. */
    public static Figure againstPeer(
            String name, double value, String unit, String peer, double peerValue, double leastRatio) {
        double ratio = value / peerValue;
        return new Figure(
                name, value, unit, peer, peerValue, ratio, ">= " + plain(leastRatio) + " x peer", ratio >= leastRatio);
    }

    /** A throughput that could not be compared: the target is missed. */
    public static Figure notComparable(String name, String unit, String peer, double leastRatio) {
        return new Figure(name, 0, unit, peer, null, null, ">= " + plain(leastRatio) + " x peer", false);
    }

    /** A figure that is only watched, beside another of the same run. */
    public static Figure watchedBeside(String name, double value, String unit, String peer, double peerValue) {
        return new Figure(name, value, unit, peer, peerValue, value / peerValue, "-", true);
    }

    /** A cost that may be at most {@code mostRatio} of the peer's. */
    public static Figure costAgainstPeer(
            String name, double value, String unit, String peer, double peerValue, double mostRatio) {
        double ratio = value / peerValue;
        return new Figure(
                name, value, unit, peer, peerValue, ratio, "<= " + plain(mostRatio) + " x peer", ratio <= mostRatio);
    }

    public static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : "%.3g".formatted(number);
    }
}

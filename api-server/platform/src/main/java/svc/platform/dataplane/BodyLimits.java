package svc.platform.dataplane;

/**
 * The largest bodies of the data plane, in bytes.
 *
 * @param open without an API key
 * @param admitted with one
 */
public record BodyLimits(long open, long admitted) {}

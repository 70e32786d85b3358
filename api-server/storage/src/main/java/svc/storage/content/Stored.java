package svc.storage.content;

import java.time.Instant;

/**
 * Bytes that are stored.
 *
 * @param etag in quotes, as S3 gives it: the MD5 of the bytes, or for those that came in parts an MD5 of MD5s
 */
public record Stored(ContentKey key, String etag, long size, Instant modified) {}

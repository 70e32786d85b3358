package svc.management.organization;

import java.time.Instant;

/** @param slug the name in tokens and projects */
record Organization(String slug, String name, Instant createdAt) {}

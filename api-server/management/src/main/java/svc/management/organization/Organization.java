package svc.management.organization;

import java.time.Instant;

/** @param slug what tokens and projects name it by */
record Organization(String slug, String name, Instant createdAt) {}

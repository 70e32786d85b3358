/**
 * Secrets are derived, not stored. One master key (with versions) gives a root per {@link svc.database.key.Purpose}; a
 * root gives a leaf per project, incarnation and key version; a leaf gives the password, API key or signing key. A pod
 * receives only the roots or leaves it needs, and from those nothing upward or sideways can be computed. Pure: no clock,
 * no random source, no I/O.
 *
 * <p>Every label and encoding in this package is part of every key ever handed out. Changing one changes them all, which
 * the committed vectors of {@code KeyVectorsTest} are there to notice.
 */
package svc.database.key;

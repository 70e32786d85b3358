/**
 * A PostgreSQL server of our own as child process, from the binaries that Maven Central carries.
 *
 * <p>The binaries are used without the library that usually goes with them: it starts the server with {@code -F}
 * (no fsync), which loses data, and cannot run as root where user namespaces are forbidden.
 */
package svc.embedded.postgres;

/**
 * The one-time hardening of a shared database: what makes it safe that many projects live in one. Entry:
 * {@link svc.database.shared.SharedDatabaseHardening}. What it installs stands in the resources {@code svc/database/shared}.
 */
package svc.database.shared;

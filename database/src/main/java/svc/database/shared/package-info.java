/**
 * What a database needs before it can hold projects. One that is shared is hardened, which makes it safe that many projects
 * live in it: {@link svc.database.shared.SharedDatabaseHardening}. One that is a single project's gets the lighter
 * {@link svc.database.shared.DedicatedPreparation}. What they install stands in the resources {@code svc/database/shared} and
 * {@code svc/database/dedicated}.
 */
package svc.database.shared;

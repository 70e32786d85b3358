/**
 * Every way from the api-server into PostgreSQL; nothing outside this package touches JDBC. {@link
 * svc.postgres.jdbc.PlatformDatabase} serves the control plane's own tables, {@link
 * svc.postgres.flush.TenantTransactions} a project's, {@link svc.postgres.jdbc.CatalogDatabase} reads catalogs for the
 * schema caches.
 */
package svc.postgres;

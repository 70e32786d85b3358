/**
 * Every way from the api-server into PostgreSQL; nothing outside this package touches JDBC. {@link
 * svc.api.db.PlatformDatabase} serves the control plane's own tables, {@link svc.api.db.TenantTransactions} a project's,
 * {@link svc.api.db.CatalogDatabase} reads catalogs for the schema caches.
 */
package svc.api.db;

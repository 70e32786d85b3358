/** Drivers, object-relational mappers and tools for migrations, unchanged, with a project by the PostgreSQL endpoint. */
package svc.e2e.orm;

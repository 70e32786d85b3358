/** What a project's schemas and roles are called; the single source for every module. Pure. */
package svc.database.name;

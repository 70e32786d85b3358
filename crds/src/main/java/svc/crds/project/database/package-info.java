/** The placement of a project's database. */
package svc.crds.project.database;

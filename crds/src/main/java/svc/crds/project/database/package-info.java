/** Where a project lives. */
package svc.crds.project.database;

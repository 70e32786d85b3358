/** The types of a project's database for client libraries. */
package svc.management.types;

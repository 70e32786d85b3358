/** The status of a Project: maps an outcome to conditions, Events and reasons. Pure: no client, no clock, no random. */
package svc.operator.project.status;

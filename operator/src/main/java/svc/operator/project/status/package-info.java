/** From what happened to what is told: conditions, Events, reasons. Pure: no client, no clock, no random. */
package svc.operator.project.status;

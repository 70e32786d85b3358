/** The records of the service, {@code User}, {@code Session}, {@code Identity} and {@code Factor}, and their JSON. Pure. */
package svc.auth.model;

/** {@code /v1/projects}: writes Project resources, waits for what the operator makes of them, and shows it. */
package svc.management.project;

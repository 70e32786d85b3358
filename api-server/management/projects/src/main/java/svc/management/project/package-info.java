/** {@code /v1/projects}: writes Project resources, waits for the operator to reconcile them, and renders them. */
package svc.management.project;

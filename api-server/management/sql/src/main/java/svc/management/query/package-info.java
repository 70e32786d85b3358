/**
 * Runs SQL in a project: {@code POST /v1/projects/{ref}/database/query} and the service-role migration. Each call is
 * counted, checked by the gate and audited before it runs.
 */
package svc.management.query;

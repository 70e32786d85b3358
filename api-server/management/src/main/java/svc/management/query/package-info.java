/**
 * Running SQL in a project: {@code POST /v1/projects/{ref}/database/query} and the service-role migration. Counted, judged
 * by the gate, written into the audit, and only then run.
 */
package svc.management.query;

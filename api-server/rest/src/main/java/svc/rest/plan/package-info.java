/** Second stage: a request to a plan, by the schema cache. Pure; no SQL. */
package svc.rest.plan;

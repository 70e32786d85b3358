/** Second stage: what a request means in a schema. Pure; knows no SQL. */
package svc.rest.plan;

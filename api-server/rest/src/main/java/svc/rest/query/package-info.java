/** Third stage: a plan as one SQL statement and its binds. Pure. */
package svc.rest.query;

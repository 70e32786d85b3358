/** REST and GraphQL beside PostgREST, pgbench and PostGraphile. */
package svc.bench.rest;

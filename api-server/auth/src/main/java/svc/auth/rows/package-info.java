/** The SQL of the service: each statement runs on one project's auth schema as the project's {@code system} login. */
package svc.auth.rows;

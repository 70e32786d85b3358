/** The SQL of the auth service, each statement on one project's companion and inside a transaction of its own login. */
package svc.auth.rows;

/**
 * Statements that are allowed, but not sent as they stand: what they ask for is so already, or a function of the
 * platform does it ({@code svc_statements} of the shared database). Pure. What the platform's functions accept they
 * check themselves, since a tenant's dynamic SQL can call them as well.
 */
package svc.sqlgate.translation;

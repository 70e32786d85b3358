/** Steps of the flows that a project decides: functions in its database, or signed HTTP calls. */
package svc.auth.hook;

/** Hooks: functions of a project, or signed HTTP calls, that decide on steps of the flows. */
package svc.auth.hook;

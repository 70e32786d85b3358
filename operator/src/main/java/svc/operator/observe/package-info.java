/** Logs and metrics of the operator: one {@link svc.operator.observe.Observation} per fact, mapped in one place each. */
package svc.operator.observe;

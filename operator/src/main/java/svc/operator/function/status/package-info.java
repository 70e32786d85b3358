/** The status of a function: conditions, reasons, Events. Pure. */
package svc.operator.function.status;

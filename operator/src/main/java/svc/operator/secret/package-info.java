/** The FunctionSecret reconciler, and which variables a function sees because of these resources. */
package svc.operator.secret;

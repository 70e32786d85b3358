/** The EdgeFunction reconciler: what runs a function, from the code's hash to a Deployment that serves it. */
package svc.operator.function;

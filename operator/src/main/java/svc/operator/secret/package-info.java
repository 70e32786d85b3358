/** The FunctionSecret reconciler: whether the value exists and whether the function runs with it. */
package svc.operator.secret;

/** The reconcilers of Project, EdgeFunction and FunctionSecret. */
package svc.operator;

/** The EdgeFunction. */
package svc.crds.function;

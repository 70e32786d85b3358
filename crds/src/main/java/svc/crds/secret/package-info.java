/** The FunctionSecret. */
package svc.crds.secret;

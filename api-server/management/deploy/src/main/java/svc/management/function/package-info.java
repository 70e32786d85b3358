/**
 * {@code /v1/projects/{ref}/functions}: takes the code of functions, writes EdgeFunction and FunctionSecret resources,
 * waits for the operator to reconcile them, and renders them. Functions from manifests are bundled here, too.
 */
package svc.management.function;

/**
 * {@code /v1/projects/{ref}/functions}: takes the code of functions, writes EdgeFunction and FunctionSecret resources,
 * waits for what the operator makes of them, and shows it. Functions that come as manifests are bundled here, too.
 */
package svc.management.function;

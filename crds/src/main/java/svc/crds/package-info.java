/**
 * The three kinds of {@code svc.platform/v1alpha1}: Project, EdgeFunction, FunctionSecret.
 *
 * <p>The definitions that clusters install are generated from these types and committed beside them ({@code
 * crds/*.yaml}); a test fails when the two differ. Imports nothing of the other modules.
 */
package svc.crds;

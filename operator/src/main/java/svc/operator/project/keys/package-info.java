/** A project's API keys, its keys Secret, and the Secrets that its spec names. */
package svc.operator.project.keys;

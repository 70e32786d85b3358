/** A project's API keys: which versions are in force, and the Secret they are handed out in. */
package svc.operator.project.keys;

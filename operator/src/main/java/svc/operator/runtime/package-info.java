/** How the operator is configured, put together and watched: nothing here decides what a project gets. */
package svc.operator.runtime;

/** Which project a schema of a shared database belongs to. */
package svc.extensions.project;

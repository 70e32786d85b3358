/** Tells addresses of a project of changes of its files. */
package svc.storage.webhook;

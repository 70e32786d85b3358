/** The endpoints of files. */
package svc.storage.object;

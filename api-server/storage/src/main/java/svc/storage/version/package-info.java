/** What files were before they were replaced or deleted: listed, read, restored, deleted. */
package svc.storage.version;

/** Bodies of uploads, read as they arrive. */
package svc.storage.body;

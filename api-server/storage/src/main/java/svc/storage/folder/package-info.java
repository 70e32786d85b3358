/** Whole folders in one call: deleted, moved, copied. Beside upstream's routes, for bodies with {@code recursive: true}. */
package svc.storage.folder;

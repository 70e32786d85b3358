/** The service {@code /storage/v1}. Begin reading at {@link svc.storage.StorageRequestHandler}. */
package svc.storage;

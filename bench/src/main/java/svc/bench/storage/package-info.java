/** Uploads, downloads, images and listings. */
package svc.bench.storage;

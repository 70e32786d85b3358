/** What a request wants of an image. */
package svc.storage.image.transform;

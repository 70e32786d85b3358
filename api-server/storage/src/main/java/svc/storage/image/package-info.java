/** Images in other sizes and formats: decoded by sandboxed processes, kept in S3. */
package svc.storage.image;

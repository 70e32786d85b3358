/** Signature Version 4: of requests in headers and in queries, of chunks of a body, and of POST policies. */
package svc.storage.s3.signature;

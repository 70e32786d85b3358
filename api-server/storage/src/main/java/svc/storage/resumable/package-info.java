/** Resumable uploads by TUS 1.0.0, whose state is in rows of the project and in S3, and never in the process. */
package svc.storage.resumable;

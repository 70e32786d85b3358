/** The bytes of files, in the platform's bucket. */
package svc.storage.content;

/** Tokens in the URLs of files. */
package svc.storage.token;

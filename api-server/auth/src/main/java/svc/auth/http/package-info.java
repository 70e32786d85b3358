/** Requests and answers in GoTrue's shapes: both encodings of errors, bodies, paths. */
package svc.auth.http;

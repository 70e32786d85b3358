/** HTTP requests that SQL of projects has queued, and their responses. */
package svc.extensions.net;

/** How much the files of projects send, and the limit of it. */
package svc.storage.egress;

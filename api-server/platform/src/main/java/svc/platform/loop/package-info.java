/** Watches event loops: which task holds one for too long. */
package svc.platform.loop;

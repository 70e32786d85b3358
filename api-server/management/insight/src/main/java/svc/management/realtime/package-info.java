/** Realtime of a project, as the Management API shows and changes it. */
package svc.management.realtime;

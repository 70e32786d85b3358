/** The documentation of the platform, served and searched. */
package svc.management.docs;

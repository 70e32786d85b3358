/** Background work on the databases of projects: one runner for every loop, so that no project waits for another one's locks. */
package svc.database.loop;

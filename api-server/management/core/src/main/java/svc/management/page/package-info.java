/** Pages for a person's browser: forms without scripts, which no other page can send. */
package svc.management.page;

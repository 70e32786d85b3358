/** What an answer of the control plane says about the limit that its call counted against. */
package svc.management.ratelimit;

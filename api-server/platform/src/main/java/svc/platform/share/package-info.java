/** What callers of many projects share, and a fair part of it for each. */
package svc.platform.share;

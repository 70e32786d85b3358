/** What strangers can make the process keep: budgets of bytes and of places, shared by a tree of accounts. */
package svc.platform.budget;

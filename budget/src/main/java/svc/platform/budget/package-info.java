/**
 * What strangers can make the process keep: budgets of bytes and of places, shared by a tree of accounts.
 *
 * <p>Processor time has no budget of its own, because it cannot be returned. Work that takes it (the parser of SQL, images,
 * bundling, long documents) needs a place, and accounts share the time for which they hold places ({@link
 * svc.platform.budget.BudgetSettings#byTime}, {@link svc.platform.budget.SharedPlaces.Division}): of those that wait and hold
 * the same, first comes the one that has used less time. So an account whose work takes ten times as long gets a tenth of
 * the turns, and one whose work is short does not pay for it. Where a change of hands is costly, an account keeps the place
 * for a few turns ({@link svc.platform.budget.BudgetSettings.Streak}).
 */
package svc.platform.budget;

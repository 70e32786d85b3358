package svc.platform.budget;

/** The rule for what an account may hold of the account that it is a part of. Pure. */
public sealed interface Limit {
    /** All that the whole has: only the whole limits its parts. */
    Limit NONE = new Fixed(Long.MAX_VALUE);

    /** A part of what is free. */
    Limit SHARE = new DynamicShare(0);

    /** The same of an account with few parts, of which one alone may hold seven tenths. */
    Limit LARGE_SHARE = new DynamicShare(0, 4);

    /** The same, except that the only permit of the account may hold all that the whole has. */
    Limit SHARE_UNLESS_ALONE = new ShareUnlessAlone(new DynamicShare(0));

    /**
     * A demand on one level of the tree.
     *
     * @param held by the account, without the demand
     * @param more that is demanded
     * @param permit what the permit would hold then
     * @param holder what the account at the bottom of the tree would hold then
     * @param whole the ceiling of the account that this one is a part of
     * @param heldOfWhole by all parts of that account, without the demand
     */
    record Demand(long held, long more, long permit, long holder, long whole, long heldOfWhole) {}

    Verdict judge(Demand demand);

    /** The largest amount that an account can hold of a whole. */
    long ceiling(long whole);

    /** Whether an account holds more than it may, because it was charged or others need it. */
    boolean overdrawn(long held, long whole, long heldOfWhole);

    /** A constant amount. */
    record Fixed(long most) implements Limit {
        public Fixed {
            if (most <= 0) {
                throw new IllegalArgumentException("a limit of " + most);
            }
        }

        @Override
        public Verdict judge(Demand demand) {
            if (demand.permit() > ceiling(demand.whole())) {
                return Verdict.TOO_LARGE;
            }
            boolean granted =
                    demand.more() <= most - demand.held() && demand.more() <= demand.whole() - demand.heldOfWhole();
            return granted ? Verdict.GRANTED : Verdict.BUSY;
        }

        @Override
        public long ceiling(long whole) {
            return Math.min(most, whole);
        }

        @Override
        public boolean overdrawn(long held, long whole, long heldOfWhole) {
            return held > most;
        }
    }

    /** A share of what is free for several permits; one alone is limited by the whole only. */
    record ShareUnlessAlone(DynamicShare share) implements Limit {
        @Override
        public Verdict judge(Demand demand) {
            boolean alone = demand.permit() == demand.held() + demand.more();
            if (alone) {
                return NONE.judge(demand);
            }
            return demand.permit() <= share.ceiling(demand.whole()) ? share.judge(demand) : Verdict.BUSY;
        }

        @Override
        public long ceiling(long whole) {
            return whole;
        }

        @Override
        public boolean overdrawn(long held, long whole, long heldOfWhole) {
            return share.overdrawn(held, whole, heldOfWhole);
        }
    }

    /**
     * Dynamic thresholds (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998): an account may hold as
     * much as is free, so one alone gets half, and two get a third each. Because accounts that come one after the other
     * could halve what is free until nothing is left, an eighth is kept for those that hold little.
     *
     * @param unit the smallest useful amount: an account that holds no more may take it from what is kept
     * @param weight an account may hold so many times what is free
     */
    record DynamicShare(long unit, long weight) implements Limit {
        private static final int RESERVE = 8;

        /** An account that holds less than this part may take from the reserve, which has room for 64 of them. */
        private static final int LITTLE = 8 * 64;

        /**
         * This much an account at the bottom always gets, also while what was charged exceeds the whole, or others have
         * used up what it is a part of.
         */
        private static final int VERY_LITTLE = LITTLE * 16;

        public DynamicShare(long unit) {
            this(unit, 1);
        }

        @Override
        public Verdict judge(Demand demand) {
            if (demand.permit() > ceiling(demand.whole())) {
                return Verdict.TOO_LARGE;
            }
            long after = demand.held() + demand.more();
            long free = demand.whole() - demand.heldOfWhole() - demand.more();
            boolean granted = after / weight <= free - demand.whole() / RESERVE
                    || (after <= Math.max(unit, demand.whole() / LITTLE) && free >= 0)
                    || demand.holder() <= demand.whole() / VERY_LITTLE;
            return granted ? Verdict.GRANTED : Verdict.BUSY;
        }

        @Override
        public long ceiling(long whole) {
            return Math.max(unit, (whole - whole / RESERVE) / (1 + weight) * weight);
        }

        @Override
        public boolean overdrawn(long held, long whole, long heldOfWhole) {
            return held / weight > Math.max(whole - heldOfWhole, whole / LITTLE / weight);
        }
    }
}

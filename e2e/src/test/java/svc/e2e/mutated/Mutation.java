package svc.e2e.mutated;

import java.util.Random;

/** One kind of mistake. */
@FunctionalInterface
interface Mutation {
    /** Makes it, with the random number generator alone to choose by. */
    void change(Draft draft, Random random);
}

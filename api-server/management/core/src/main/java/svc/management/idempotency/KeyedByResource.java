package svc.management.idempotency;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a resource method that stores the Idempotency-Key with what it makes, which holds for longer than an answer is kept and
 * through a crash. {@link IdempotencyFilter} leaves it alone.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface KeyedByResource {
    /** Where the key is stored. */
    String because();
}

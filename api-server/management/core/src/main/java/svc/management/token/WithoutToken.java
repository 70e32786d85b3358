package svc.management.token;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a resource method that authenticates its caller without a personal access token. Every other method of the
 * control plane needs a valid token: a forgotten annotation denies access and never grants it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface WithoutToken {
    /** The check that replaces the token. */
    String because();
}

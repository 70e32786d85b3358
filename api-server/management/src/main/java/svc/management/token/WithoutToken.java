package svc.management.token;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a resource method that checks its caller itself instead of a personal access token. Every other method of the
 * control plane asks for a valid token: forgetting an annotation locks a door, it never opens one.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface WithoutToken {
    /** What guards the method instead. */
    String because();
}

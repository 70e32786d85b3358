package svc.server.management.query.attack;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;

/** One test for each attack of a file. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(AttacksOf.Provider.class)
@interface AttacksOf {
    /** The file's name without its ending. */
    String value();

    /** Gives the attacks of the file that the annotation names. */
    final class Provider implements ArgumentsProvider, AnnotationConsumer<AttacksOf> {
        private String family;

        @Override
        public void accept(AttacksOf annotation) {
            family = annotation.value();
        }

        @Override
        public Stream<? extends Arguments> provideArguments(ExtensionContext context) {
            return AttackFile.read(family).stream().map(Arguments::of);
        }
    }
}

package svc.crds.function;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FunctionObjectTest {

    @Test
    void isTheResourcesNameWhereThatFits() {
        assertThat(FunctionObject.name("shop-hello")).isEqualTo("fn-shop-hello");
        assertThat(FunctionObject.environment("shop-hello")).isEqualTo("fn-shop-hello-env");
    }

    @Test
    void isALabelOfItsOwnOtherwise() {
        String long1 = "a".repeat(252) + "b";
        String long2 = "a".repeat(252) + "c";
        assertThat(FunctionObject.name(long1))
                .hasSizeLessThanOrEqualTo(52)
                .matches("[a-z]([-a-z0-9]*[a-z0-9])?")
                .isNotEqualTo(FunctionObject.name(long2));
        assertThat(FunctionObject.name("a.b")).startsWith("fn-a-b-").isNotEqualTo(FunctionObject.name("a-b"));
    }
}

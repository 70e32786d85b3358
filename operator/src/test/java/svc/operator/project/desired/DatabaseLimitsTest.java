package svc.operator.project.desired;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.crds.project.LimitsSpec;
import svc.crds.project.ObjectLimitsSpec;
import svc.database.project.ObjectKind;
import svc.database.project.ObjectLimits;

class DatabaseLimitsTest {
    @Test
    void anAbsentSpecHasTheDefaultsOfTheDatabase() {
        assertThat(DatabaseLimits.of(LimitsSpec.defaults()).objects()).isEqualTo(ObjectLimits.STANDARD);
    }

    @Test
    void eachFieldOfTheSpecIsTheLimitOfItsKind() {
        var objects = new ObjectLimitsSpec(1, 2, 3, 4, 5, 6, 7, 8, 9);

        assertThat(DatabaseLimits.of(new LimitsSpec(null, null, null, null, null, objects))
                        .objects()
                        .differing())
                .isEqualTo(Map.of(
                        ObjectKind.RELATIONS, 1,
                        ObjectKind.COLUMNS, 2,
                        ObjectKind.INDEXES, 3,
                        ObjectKind.FUNCTIONS, 4,
                        ObjectKind.FUNCTIONS_OF_ONE_NAME, 5,
                        ObjectKind.OPERATORS, 6,
                        ObjectKind.TYPES, 7,
                        ObjectKind.POLICIES, 8,
                        ObjectKind.TRIGGERS, 9));
    }
}

package svc.server.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;

/** Budgets of places are measured like that of memory, and no label names an owner. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class BudgetMetricsTest {
    @Inject
    MeterRegistry metrics;

    @Test
    void eachKindOfBudgetIsMeasured() {
        Collection<Gauge> held = metrics.find("svc.budget.held").gauges();
        assertThat(held)
                .extracting(gauge -> gauge.getId().getTag("kind"))
                .contains(
                        "memory",
                        "sql-parsers",
                        "openapi-documents",
                        "store",
                        "image-store",
                        "outgoing-calls",
                        "outgoing-documents")
                .doesNotHaveDuplicates();
        assertThat(held)
                .flatExtracting(gauge -> gauge.getId().getTags())
                .extracting(Tag::getKey)
                .containsOnly("kind");
    }
}

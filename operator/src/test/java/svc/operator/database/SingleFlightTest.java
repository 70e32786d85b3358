package svc.operator.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A database is prepared once however many ask, and asked for again after a failure. */
class SingleFlightTest {
    private final AtomicInteger flights = new AtomicInteger();

    @Test
    void manyAtOnceShareOneFlight() throws Exception {
        var flight = new SingleFlight(() -> {
            flights.incrementAndGet();
        });
        try (var threads = Executors.newFixedThreadPool(8)) {
            Callable<Void> ensure = () -> {
                flight.ensure();
                return null;
            };
            for (Future<Void> done :
                    threads.invokeAll(Stream.generate(() -> ensure).limit(50).toList())) {
                done.get();
            }
        }

        assertThat(flights).hasValue(1);
    }

    @Test
    void aFailureKeepsItsSqlStateAndIsTriedAgain() throws SQLException {
        var flight = new SingleFlight(() -> {
            if (flights.incrementAndGet() == 1) {
                throw new SQLException("away", "08001");
            }
        });

        assertThatThrownBy(flight::ensure)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failed -> assertThat(failed.getSQLState()).isEqualTo("08001"));
        flight.ensure();
        flight.ensure();

        assertThat(flights).hasValue(2);
    }
}

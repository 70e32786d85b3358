package svc.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void theEndpointOfPostgresHasAPortOfItsOwn() {
        assertThat(Options.parse(List.of()).postgresPort()).isEmpty();
        assertThat(Options.parse(List.of("--postgres-port", "5432")).postgresPort())
                .isEqualTo(OptionalInt.of(5432));
        assertThatThrownBy(() -> Options.parse(List.of("--postgres-port", "no")))
                .hasMessageContaining("--postgres-port takes a number");
        assertThatThrownBy(() -> Options.parse(List.of("--colour", "blue"))).hasMessageContaining("--postgres-port");
    }

    @Test
    void theGreetingSaysWhereItIs() {
        URI page = URI.create("http://127.0.0.1:1/");
        Connection off = Connection.of(8000, "token", Path.of("kubeconfig"), page, page);
        assertThat(off.greeting()).contains("PostgreSQL      off");
        assertThat(off.withPostgres(8004).greeting()).contains("postgresql://postgres.{ref}@127.0.0.1:8004/postgres");
    }
}

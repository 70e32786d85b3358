package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** SQLAlchemy with psycopg 3 and with asyncpg: transactions, cursors, types and reflection. */
@ExtendWith(SharedPlatform.class)
class SqlAlchemyTest {
    @Test
    void worksWithBothDrivers(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "sqlalchemy").python("sqlalchemy_drivers");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"psycopg": {"streamed": 100, "isolation": "serializable", "same": true,
                  "reflected": {"schema": "public", "schemas": true,
                   "columns": ["id", "uid", "mood", "about", "tags", "price", "at", "long", "bytes"],
                   "enums": ["synchronous_mood"], "key": ["id"]}},
                 "asyncpg": {"streamed": 100, "isolation": "repeatable read", "same": true,
                  "reflected": {"schema": "public", "schemas": true,
                   "columns": ["id", "uid", "mood", "about", "tags", "price", "at", "long", "bytes"],
                   "enums": ["asynchronous_mood"], "key": ["id"]}}}
                """));
    }
}

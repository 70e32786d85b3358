package svc.chart.node;

import java.io.IOException;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.redis.EmbeddedRedis;
import svc.embedded.s3.EmbeddedS3;

/** PostgreSQL, Redis and S3 beside the cluster, as servers of one's own are; pods reach them at the machine's address. */
final class HostServers implements AutoCloseable {
    private final EmbeddedPostgres postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.forTests());
    private final EmbeddedRedis redis = EmbeddedRedis.forTests();
    private final EmbeddedS3 s3 = EmbeddedS3.forTests();
    private final String address;
    private final Forward toPostgres;
    private final Forward toRedis;
    private final Forward toS3;

    HostServers(String address) throws IOException {
        this.address = address;
        this.toPostgres = new Forward(address, postgres.port());
        this.toRedis = new Forward(address, redis.port());
        this.toS3 = new Forward(address, s3.endpoint().getPort());
    }

    String databasePassword() {
        return postgres.operatorPassword();
    }

    EmbeddedS3.Credentials s3Credentials() {
        return s3.credentials();
    }

    /** Where pods reach PostgreSQL: address and port. */
    String postgres() {
        return address + ":" + toPostgres.port();
    }

    String redis() {
        return address + ":" + toRedis.port();
    }

    String s3() {
        return address + ":" + toS3.port();
    }

    /** The chart's values that lead to them. */
    String values() {
        return """
                database: {host: %1$s, port: %2$d, name: %3$s, sslMode: disable, existingSecret: database}
                redis: {host: %1$s, port: %4$d}
                s3: {bucket: svc, endpoint: "http://%1$s:%5$d", existingSecret: s3}
                """.formatted(address, toPostgres.port(), postgres.createDatabase("svc"), toRedis.port(), toS3.port());
    }

    @Override
    public void close() throws IOException {
        toPostgres.close();
        toRedis.close();
        toS3.close();
        s3.close();
        redis.close();
        postgres.close();
    }
}

package svc.platform.projectlog;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Settings of the projects' logs. The operator has {@code svc.logs.retention-days}. */
@ConfigMapping(prefix = "svc.logs")
public interface LogConfig {
    /** Whether lines are collected. */
    @WithDefault("true")
    boolean enabled();

    /** Whether each request to a project's services is a line. */
    @WithDefault("true")
    boolean requests();

    /** Places of lines that wait in this process to be sent; a line has one for each started KiB. */
    @WithDefault("20000")
    int queue();

    /** Places of one project's lines that wait in this process. */
    @WithDefault("5000")
    int projectQueue();

    /** Places a second for one project's lines that this process takes on, after a burst of {@link #projectBurst}. */
    @WithDefault("250")
    int projectRate();

    @WithDefault("5000")
    int projectBurst();

    /** Lines kept of one project; the oldest are deleted first. */
    @WithDefault("1000000")
    long projectLines();

    /** Bytes kept of one project, estimated. */
    @WithDefault("536870912")
    long projectBytes();

    /** Longest time of a query. */
    @WithDefault("5s")
    Duration queryTimeout();

    /** Queries that run at the same time in this process; of one project half of them. */
    @WithDefault("4")
    int queries();

    /** Calls that follow a log in this process; of one project a fifth of them. */
    @WithDefault("50")
    int followers();

    /** Longest time of a call that follows a log. */
    @WithDefault("10m")
    Duration followTime();

    Otlp otlp();

    /** Where the control plane sends each line as well. */
    interface Otlp {
        /** Address of an OTLP receiver over HTTP with its path, such as {@code http://collector:4318/v1/logs}. */
        Optional<String> endpoint();

        /** Headers of each request, such as a credential of the receiver. */
        Map<String, String> headers();
    }
}

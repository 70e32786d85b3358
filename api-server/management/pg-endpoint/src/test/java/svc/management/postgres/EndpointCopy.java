package svc.management.postgres;

import io.quarkus.arc.Arc;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

/**
 * A second endpoint of the running server, with other settings. It is built by reflection, because a server has one endpoint,
 * and a server of its own would cost each run of the tests its start.
 */
final class EndpointCopy implements AutoCloseable {
    private final PostgresEndpoint endpoint;

    /** @param settings by the names of {@link PostgresEndpointConfig}'s methods; all others are the server's own */
    EndpointCopy(Map<String, Object> settings) throws ReflectiveOperationException {
        Constructor<?> constructor = Arrays.stream(PostgresEndpoint.class.getDeclaredConstructors())
                .max(Comparator.comparingInt(Constructor::getParameterCount))
                .orElseThrow();
        constructor.setAccessible(true);
        Object[] beans = Arrays.stream(constructor.getParameterTypes())
                .map(type -> type == PostgresEndpointConfig.class ? config(settings) : bean(type))
                .toArray();
        endpoint = (PostgresEndpoint) constructor.newInstance(beans);
        call("start", StartupEvent.class);
    }

    private static <T> T bean(Class<T> type) {
        return Arc.container().instance(type).get();
    }

    private static PostgresEndpointConfig config(Map<String, Object> settings) {
        PostgresEndpointConfig own = bean(PostgresEndpointConfig.class);
        return (PostgresEndpointConfig) Proxy.newProxyInstance(
                PostgresEndpointConfig.class.getClassLoader(),
                new Class<?>[] {PostgresEndpointConfig.class},
                (proxy, setting, none) -> settings.containsKey(setting.getName())
                        ? settings.get(setting.getName())
                        : setting.invoke(own));
    }

    int port() {
        return endpoint.port();
    }

    private void call(String observer, Class<?> event) throws ReflectiveOperationException {
        Method method = PostgresEndpoint.class.getDeclaredMethod(observer, event);
        method.setAccessible(true);
        method.invoke(endpoint, new Object[] {null});
    }

    @Override
    public void close() throws ReflectiveOperationException {
        call("stop", ShutdownEvent.class);
    }
}

package svc.database.shared;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the hardening installs and allows, read from the resources {@code svc/database/shared}. */
record SharedResources(
        AllowList publicFunctions,
        AllowList catalogLoginFunctions,
        List<String> catalogLoginRelations,
        List<String> extensions,
        List<String> optionalExtensions,
        List<String> derivedViews,
        List<ScriptedObject> objects) {

    static SharedResources load() {
        List<ScriptedObject> objects = new ArrayList<>();
        for (String script : List.of(
                "guard.sql",
                "limits.sql",
                "project-extensions.sql",
                "pgmq.sql",
                "pgmq-messages.sql",
                "vault.sql",
                "views.sql",
                "familiar.sql",
                "functions.sql",
                "locks.sql",
                "clients.sql",
                "companion.sql",
                "common.sql",
                "retirement.sql",
                "statements.sql",
                "schemas.sql",
                "settings.sql",
                "composed.sql",
                "services.sql",
                "cron.sql",
                "requests.sql",
                "realtime.sql",
                "commits.sql",
                "sessions.sql")) {
            ScriptedObject.parse(text(script)).forEach(object -> objects.addAll(object.ofParts()));
        }
        return new SharedResources(
                AllowList.of(lines("catalog-functions.txt")),
                AllowList.of(lines("svc_catalog-functions.txt")),
                lines("svc_catalog-relations.txt"),
                lines("extensions.txt"),
                lines("optional-extensions.txt"),
                lines("derived-views.txt"),
                List.copyOf(objects));
    }

    /** What a database of a single project needs, without its event triggers. */
    static List<ScriptedObject> ofDedicated() {
        Set<String> alike = Set.of(
                "table svc_guard.realtime_publication",
                "table svc_guard.exempt_command",
                "view svc_guard.published_table",
                "function svc_guard.refuse_data_plane()",
                "function svc_guard.refuse_taken_role()");
        List<ScriptedObject> objects = new ArrayList<>(ScriptedObject.parse(text("guard.sql")).stream()
                .filter(object -> alike.contains(object.name()))
                .toList());
        for (String script : List.of(
                "/svc/database/dedicated/guard.sql",
                "companion.sql",
                "project-extensions.sql",
                "pgmq.sql",
                "pgmq-messages.sql",
                "vault.sql",
                "statements.sql",
                "schemas.sql",
                "settings.sql",
                "commits.sql")) {
            objects.addAll(ScriptedObject.parse(text(script)));
        }
        return List.copyOf(objects);
    }

    /** What realtime needs there, once the companion schemas exist. */
    static List<ScriptedObject> realtimeOfDedicated() {
        Set<String> alike = Set.of(
                "svc_realtime.send(jsonb,text,text,boolean)",
                "svc_realtime.send_binary(bytea,text,text,boolean)",
                "svc_realtime.broadcast_changes(text,text,text,text,text,record,record,text)");
        List<ScriptedObject> objects = new ArrayList<>(ScriptedObject.parse(text("common.sql")).stream()
                .filter(object -> alike.contains(object.identity()))
                .map(object -> object.inSchema("svc_realtime", "realtime"))
                .toList());
        objects.addAll(ScriptedObject.parse(text("/svc/database/dedicated/realtime.sql")));
        return List.copyOf(objects);
    }

    /** What only a superuser can make there. */
    static List<ScriptedObject> eventTriggersOfDedicated() {
        return ScriptedObject.parse(text("/svc/database/dedicated/event-triggers.sql"));
    }

    /** Without empty lines and those that begin with #. */
    static List<String> lines(String resource) {
        return text(resource)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    static String text(String resource) {
        try (InputStream stream = SharedResources.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "No resource " + resource + " beside " + SharedResources.class.getName());
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("while reading the resource " + resource, failure);
        }
    }
}

package svc.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.CrdCatalog;

/** An invalid Project is refused, and the message says what to do. */
class ProjectRefusalTest {

    private static final Refusals PROJECT = new Refusals(CrdCatalog.load().project());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: Shop}",
                "{name: 'Café 24 — テスト'}",
                "{name: a, ref: abcd2345, projectId: 0b0f2bb1-2b2d-4e57-9d5c-0f8a3a1f7c11, deletionPolicy: Delete}",
                "{name: a, database: {shared: main}}",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}}",
                "{name: a, database: {mode: Dedicated, dedicated: {cluster: {storage: {size: 10Gi}, resources: {limits: {cpu: 2, memory: 1Gi}}}}}}",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}, rest: {anonRole: web_anon, exposedSchemas: [api]}}",
                "{name: a, keys: {anon: {version: 4, previousUntil: '2026-01-01T00:00:00Z'}}, keysSecret: shop-keys}",
                "{name: a, rest: {exposedSchemas: [public, _a1, abcdefghijklmnopqrstuvwx]}}",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}, rest: {anonRole: a, exposedSchemas: ['My Schema', auth]}}",
                "{name: a, rest: {exposedSchemas: [api], maxRows: 10, txEnd: RollbackAllowOverride, openapiMode: Disabled, rootSpec: root, errorVerbosity: Minimal, extraSearchPath: []}}",
                "{name: a, auth: {jwt: {verifyKeys: [{name: old, type: HS256, secretKeyRef: {name: jwt, key: secret}}]}}}",
                "{name: a, auth: {jwt: {verifyKeys: [{name: idp, type: JWKS, url: 'https://idp.example/jwks'}]}}}",
                "{name: a, auth: {hooks: {customAccessToken: {function: public.claims}}, captcha: {provider: Turnstile, secretKeyRef: {name: c, key: k}}}}",
                "{name: a, auth: {smtp: {host: mx.example, from: a@example.org, username: u, passwordSecretRef: {name: m, key: p}}}}",
                "{name: a, auth: {providers: [{name: google, type: Google, clientId: x, clientSecretRef: {name: g, key: s}}]}}",
                "{name: a, limits: {connections: 5}, storage: {fileSizeLimit: 53687091200}, realtime: {enabled: false}}",
                "{name: a, storage: {buckets: [{name: photos, public: true, allowedMimeTypes: ['image/*', '*/*']}, {name: 'a b.c'}]}}",
                "{name: a, storage: {webhooks: [{name: x, url: 'https://x.example/', events: ['ObjectRemoved:*', 'ObjectCreated:Put'], secretKeyRef: {name: n, key: k}}]}}",
            })
    void acceptsWhatMakesSense(String spec) {
        assertThat(PROJECT.onCreation(spec)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | spec.name: Required value",
                "{name: ''} | spec.name: Invalid value: \"\": spec.name in body should be at least 1 chars long",
                "{name: ' a'} | spec.name in body should match",
                "{name: \"a\\u0007b\"} | spec.name in body should match",
                "{name: a123456789a123456789a123456789a123456789a123456789a123456789abcd} | spec.name: Too long: may not be more than 63 bytes",
                "{name: a, organization: 'A b'} | spec.organization in body should match",
                "{name: a, ref: 1bcdefgh} | spec.ref: Invalid value: \"1bcdefgh\": spec.ref in body should match '^[a-z][a-z0-9]{7}$'",
                "{name: a, ref: abcdefghi} | spec.ref: Too long: may not be more than 8 bytes",
                "{name: a, projectId: 0B0F2BB1-2B2D-4E57-9D5C-0F8A3A1F7C11} | spec.projectId in body should match",
                "{name: a, deletionPolicy: Orphan} | spec.deletionPolicy: Unsupported value: \"Orphan\": supported values: \"Delete\", \"Retain\"",
                "{name: a, paused: 'yes'} | spec.paused in body must be of type boolean",
                "{name: a, database: {mode: Own}} | supported values: \"Dedicated\", \"Shared\"",
                "{name: a, database: {mode: Dedicated}} | spec.database.dedicated: Invalid value: \"object\": set dedicated if mode is Dedicated, and only then",
                "{name: a, database: {dedicated: {connectionSecretRef: {name: pg}}}} | set dedicated if mode is Dedicated, and only then",
                "{name: a, database: {mode: Dedicated, shared: main, dedicated: {connectionSecretRef: {name: pg}}}} | spec.database.shared: Invalid value: \"object\": shared names a shared database: remove it, or set mode to Shared",
                "{name: a, database: {mode: Dedicated, dedicated: {}}} | set connectionSecretRef for a database that exists, or cluster for one to create: exactly one of them",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}, cluster: {storage: {size: 1Gi}}}}} | exactly one of them",
                "{name: a, database: {mode: Dedicated, dedicated: {cluster: {}}}} | spec.database.dedicated.cluster.storage: Required value",
                "{name: a, database: {mode: Dedicated, dedicated: {cluster: {storage: {size: plenty}}}}} | spec.database.dedicated.cluster.storage.size in body should match",
                "{name: a, database: {mode: Dedicated, dedicated: {cluster: {instances: 0, storage: {size: 1Gi}}}}} | should be greater than or equal to 1",
                "{name: a, keys: {anon: {version: 0}}} | spec.keys.anon.version in body should be greater than or equal to 1",
                "{name: a, keys: {anon: {previousUntil: soon}}} | must be of type date-time",
                "{name: a, keysSecret: A_B} | spec.keysSecret in body should match",
                "{name: a, limits: {connections: 0}} | spec.limits.connections in body should be greater than or equal to 1",
                "{name: a, limits: {statementTimeoutSeconds: 9999}} | should be less than or equal to 3600",
                "{name: a, rest: {anonRole: anon}} | spec.rest.anonRole: Invalid value: \"object\": anonRole adopts a dedicated database: remove it, or set mode to Dedicated",
                "{name: a, rest: {txEnd: Maybe}} | spec.rest.txEnd: Unsupported value",
                "{name: a, rest: {exposedSchemas: ['']}} | spec.rest.exposedSchemas[0] in body should be at least 1 chars long",
                "{name: a, rest: {exposedSchemas: [public, auth]}} | exposedSchemas may name public and schemas made by CREATE SCHEMA",
                "{name: a, rest: {exposedSchemas: [pg_catalog]}} | exposedSchemas may name public",
                "{name: a, rest: {exposedSchemas: ['My Schema']}} | exposedSchemas may name public",
                "{name: a, rest: {exposedSchemas: [proj_00000000000000000000000000000001]}} | exposedSchemas may name public",
                "{name: a, rest: {exposedSchemas: [abcdefghijklmnopqrstuvwxy]}} | exposedSchemas may name public",
                "{name: a, auth: {siteUrl: 'javascript:alert(1)'}} | spec.auth.siteUrl in body should match",
                "{name: a, auth: {jwt: {verifyKeys: [{name: a, type: JWKS}]}}} | set secretKeyRef or url, exactly one of them",
                "{name: a, auth: {jwt: {verifyKeys: [{name: a, type: HS256, url: 'https://x.example'}]}}} | a shared secret has no url: set secretKeyRef, or type to JWKS",
                "{name: a, auth: {jwt: {verifyKeys: [{name: a, type: JWKS, url: 'https://x'}, {name: a, type: JWKS, url: 'https://y'}]}}} | spec.auth.jwt.verifyKeys[1]: Duplicate value: {\"name\":\"a\"}",
                "{name: a, auth: {hooks: {sendSms: {}}}} | set function or url, exactly one of them",
                "{name: a, auth: {hooks: {sendSms: {url: 'https://x.example'}}}} | calls are signed: set both url and secretKeyRef, or neither",
                "{name: a, auth: {smtp: {host: h, from: a@b, username: u}}} | set username and passwordSecretRef, both or neither",
                "{name: a, auth: {providers: [{name: o, type: Oidc, clientId: x, clientSecretRef: {name: g, key: s}}]}} | set issuer: Oidc and Keycloak require it",
                "{name: a, storage: {buckets: [{name: x}, {name: x}]}} | spec.storage.buckets[1]: Duplicate value: {\"name\":\"x\"}",
                "{name: a, storage: {buckets: [{name: a/b}]}} | spec.storage.buckets[0].name in body should match",
                "{name: a, storage: {buckets: [{name: ' a'}]}} | spec.storage.buckets[0].name in body should match",
                "{name: a, storage: {buckets: [{name: a, fileSizeLimit: 0}]}} | should be greater than or equal to 1",
                "{name: a, storage: {buckets: [{name: a, allowedMimeTypes: [image]}]}} | allowedMimeTypes[0] in body should match",
                "{name: a, storage: {webhooks: [{name: x, url: 'https://x.example/'}]}} | spec.storage.webhooks[0].secretKeyRef",
                "{name: a, storage: {webhooks: [{name: x, url: 'ftp://x', secretKeyRef: {name: n, key: k}}]}} | spec.storage.webhooks[0].url in body should match",
                "{name: a, storage: {webhooks: [{name: x, url: 'https://x', events: ['ObjectRead:*'], secretKeyRef: {name: n, key: k}}]}} | spec.storage.webhooks[0].events[0] in body should match",
                "{name: a, auth: {templates: {invite: {subject: \"a\\r\\nBcc: b\"}}}} | spec.auth.templates.invite.subject in body should match",
            })
    void refusesOnCreation(String spec, String expected) {
        assertThat(PROJECT.onCreation(spec)).first().asString().contains(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{name: a, ref: abcdefgh} | {name: a, ref: hgfedcba} | spec.ref: Invalid value: \"object\": ref identifies the project",
                "{name: a, ref: abcdefgh} | {name: a} | spec.ref: Invalid value: \"object\": ref identifies the project",
                "{name: a} | {name: a, ref: abcdefgh} | spec.ref: Invalid value: \"object\": ref identifies the project",
                "{name: a, projectId: 0b0f2bb1-2b2d-4e57-9d5c-0f8a3a1f7c11} | {name: a, projectId: 1b0f2bb1-2b2d-4e57-9d5c-0f8a3a1f7c11} | projectId identifies the project",
                "{name: a, projectId: 0b0f2bb1-2b2d-4e57-9d5c-0f8a3a1f7c11} | {name: a} | projectId identifies the project",
                "{name: a} | {name: a, projectId: 0b0f2bb1-2b2d-4e57-9d5c-0f8a3a1f7c11} | projectId identifies the project",
                "{name: a} | {name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}} | spec.database.mode: Invalid value: \"object\": mode cannot be changed after creation",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}} | {name: a} | spec.database.mode: Invalid value: \"object\": mode cannot be changed after creation",
                "{name: a, database: {shared: x}} | {name: a, database: {shared: y}} | shared cannot be set, changed or removed after creation",
                "{name: a, database: {shared: x}} | {name: a} | shared cannot be set, changed or removed after creation",
                "{name: a} | {name: a, database: {shared: x}} | shared cannot be set, changed or removed after creation",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}} | {name: a, database: {mode: Dedicated, dedicated: {cluster: {storage: {size: 1Gi}}}}} | cannot replace each other",
                "{name: a, database: {mode: Dedicated, dedicated: {cluster: {storage: {size: 1Gi, storageClass: fast}}}}} | {name: a, database: {mode: Dedicated, dedicated: {cluster: {storage: {size: 1Gi}}}}} | storageClass cannot be changed after creation",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}} | {name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}, rest: {anonRole: anon}} | anonRole decides whether the database is adopted",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}, rest: {anonRole: anon}} | {name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: pg}}}} | anonRole decides whether the database is adopted",
                "{name: a, keys: {anon: {version: 3}}} | {name: a, keys: {anon: {version: 2}}} | version goes up by one at a time",
                "{name: a, keys: {anon: {version: 3}}} | {name: a} | version goes up by one at a time",
                "{name: a, keys: {signing: {version: 1}}} | {name: a, keys: {signing: {version: 3}}} | version goes up by one at a time",
            })
    void refusesAMove(String from, String to, String expected) {
        assertThat(PROJECT.onUpdate(from, to)).singleElement().asString().contains(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{name: a, ref: abcdefgh} | {name: b, ref: abcdefgh, organization: other, deletionPolicy: Delete, paused: true}",
                "{name: a} | {name: a, keys: {anon: {version: 2, previousUntil: '2026-01-01T00:00:00Z'}}}",
                "{name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: a}}}} | {name: a, database: {mode: Dedicated, dedicated: {connectionSecretRef: {name: b}}}}",
                "{name: a, database: {mode: Dedicated, dedicated: {cluster: {storage: {size: 1Gi}}}}} | {name: a, database: {mode: Dedicated, dedicated: {cluster: {instances: 3, storage: {size: 2Gi}}}}}",
                "{name: a, rest: {maxRows: 5}, auth: {signUp: false}} | {name: a}",
            })
    void allowsWhatMayChange(String from, String to) {
        assertThat(PROJECT.onUpdate(from, to)).isEmpty();
    }

    @Test
    void aProjectWithoutSpecIsRefused() {
        assertThat(PROJECT.onCreation("null").getFirst()).isEqualTo("spec: Required value");
    }
}

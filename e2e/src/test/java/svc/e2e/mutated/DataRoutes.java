package svc.e2e.mutated;

import static svc.e2e.mutated.Route.data;

import java.util.ArrayList;
import java.util.List;

/** The routes of a project's host: every call of the services that are built, and a few of each of the others. */
final class DataRoutes {
    private static final int HASHES_PASSWORDS = 20;

    /** What the calls find in the project. */
    static final String TABLES = """
        CREATE TABLE list (id int PRIMARY KEY, name text);
        CREATE TABLE todo (
          id int PRIMARY KEY, list int REFERENCES list, title text, done boolean NOT NULL DEFAULT false,
          tags text[] DEFAULT '{}', info jsonb DEFAULT '{}', due timestamptz, cost numeric, span int4range,
          words tsvector, mark uuid);
        CREATE VIEW open_todo AS SELECT id, title FROM todo WHERE NOT done;
        CREATE FUNCTION add(a int, b int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
        CREATE FUNCTION whole(jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS 'SELECT $1';
        CREATE FUNCTION found(word text DEFAULT '') RETURNS SETOF todo LANGUAGE sql STABLE
          AS 'SELECT * FROM todo WHERE title LIKE word || ''%''';
        INSERT INTO list VALUES (1, 'one'), (2, 'two');
        INSERT INTO todo (id, list, title) SELECT n, 1 + n % 2, 'title ' || n FROM generate_series(1, 40) n;
        """;

    private DataRoutes() {}

    static List<Route> all() {
        List<Route> routes = new ArrayList<>(rest());
        routes.addAll(auth());
        routes.addAll(storage());
        routes.addAll(graphql());
        routes.addAll(s3());
        routes.addAll(others());
        return routes;
    }

    private static List<Route> rest() {
        return List.of(
                data("GET", "/rest/v1/"),
                data(
                        "POST",
                        "/rest/v1/",
                        "[{\"method\":\"GET\",\"path\":\"/list\"},{\"method\":\"POST\",\"path\":\"/rpc/add\",\"body\":{\"a\":1,\"b\":2}}]"),
                data("GET", "/rest/v1/todo"),
                data("HEAD", "/rest/v1/todo?select=id"),
                data("OPTIONS", "/rest/v1/todo"),
                data(
                        "GET",
                        "/rest/v1/todo?select=id,title,list(name)&done=is.false&order=id.desc.nullslast&limit=3&offset=1"),
                data(
                        "GET",
                        "/rest/v1/todo?select=id,info->a->>b,tags&or=(id.lt.4,and(id.gt.30,title.like.*3*))&tags=cs.{a,b}"),
                data("GET", "/rest/v1/todo?words=wfts(english).cat&span=ov.[1,5)&due=gte.2020-01-01&cost=in.(1,2.5)"),
                data("GET", "/rest/v1/list?select=*,todo!inner(id,title)&todo.id=eq.3&todo.order=id&todo.limit=2"),
                data("GET", "/rest/v1/open_todo?title=ilike(any).{a*,*1}&id=not.in.(1,2)"),
                data("GET", "/rest/v1/todo?select=list,n:count()&having=(n.gt.1)&distinct=list"),
                data("POST", "/rest/v1/list?on_conflict=id&columns=id,name", "[{\"id\":7,\"name\":\"seven\"}]"),
                data(
                        "POST",
                        "/rest/v1/todo",
                        "{\"id\":1000,\"list\":1,\"title\":\"new\",\"tags\":[\"a\"],\"info\":{\"a\":{\"b\":1}}}"),
                data(
                        "PATCH",
                        "/rest/v1/todo?id=eq.5",
                        "{\"title\":\"changed\",\"cost\":1.5,\"due\":\"2026-01-01T00:00:00Z\"}"),
                data("PUT", "/rest/v1/list?id=eq.9", "{\"id\":9,\"name\":\"nine\"}"),
                data("DELETE", "/rest/v1/todo?id=eq.39"),
                data("GET", "/rest/v1/rpc/add?a=1&b=2"),
                data("POST", "/rest/v1/rpc/add", "{\"a\":1,\"b\":2}"),
                data("POST", "/rest/v1/rpc/whole", "{\"\":[1,2,{\"a\":null}]}", "[[1],\"x\"]"),
                data("GET", "/rest/v1/rpc/found?word=title&select=id&id=lt.9&order=id"),
                data("POST", "/rest/v1/rpc/found?limit=2", "{\"word\":\"t\"}"),
                data("GET", "/rest/v1/nothing?select=*"));
    }

    private static List<Route> auth() {
        String id = "11111111-1111-4111-8111-111111111111";
        return List.of(
                data("GET", "/auth/v1/health"),
                data("GET", "/auth/v1/settings"),
                data("GET", "/auth/v1/.well-known/jwks.json"),
                data("GET", "/auth/v1/.well-known/openid-configuration"),
                data(
                                "POST",
                                "/auth/v1/signup",
                                "{\"email\":\"a@example.com\",\"password\":\"password1\",\"data\":{\"a\":1}}",
                                "{}")
                        .weighing(HASHES_PASSWORDS),
                data(
                                "POST",
                                "/auth/v1/token?grant_type=password",
                                "{\"email\":\"fuzz@example.com\",\"password\":\"password1\"}")
                        .weighing(HASHES_PASSWORDS),
                data("POST", "/auth/v1/token?grant_type=refresh_token", "{\"refresh_token\":\"abcdefghijkl\"}"),
                data(
                        "POST",
                        "/auth/v1/token?grant_type=pkce",
                        "{\"auth_code\":\"" + id + "\",\"code_verifier\":\"" + "v".repeat(50) + "\"}"),
                data(
                        "POST",
                        "/auth/v1/token?grant_type=id_token",
                        "{\"provider\":\"google\",\"id_token\":\"a.b.c\",\"nonce\":\"n\"}"),
                data(
                        "POST",
                        "/auth/v1/otp?redirect_to=http://localhost/",
                        "{\"email\":\"b@example.com\",\"create_user\":true,\"code_challenge\":\"" + "c".repeat(43)
                                + "\",\"code_challenge_method\":\"s256\"}"),
                data("POST", "/auth/v1/magiclink", "{\"email\":\"b@example.com\"}"),
                data("POST", "/auth/v1/recover", "{\"email\":\"fuzz@example.com\"}"),
                data("POST", "/auth/v1/resend", "{\"type\":\"signup\",\"email\":\"b@example.com\"}"),
                data(
                        "POST",
                        "/auth/v1/verify",
                        "{\"type\":\"email\",\"email\":\"b@example.com\",\"token\":\"123456\"}",
                        "{\"type\":\"magiclink\",\"token_hash\":\"abcdef\"}"),
                data("GET", "/auth/v1/verify?type=signup&token=abcdef&redirect_to=http://localhost/"),
                data(
                        "GET",
                        "/auth/v1/authorize?provider=google&redirect_to=http://localhost/&code_challenge="
                                + "c".repeat(43) + "&code_challenge_method=s256"),
                data("GET", "/auth/v1/callback?code=abc&state=def"),
                data("POST", "/auth/v1/callback", "code=abc&state=def&user=%7B%7D"),
                data("GET", "/auth/v1/user/identities/authorize?provider=google"),
                data("DELETE", "/auth/v1/user/identities/" + id),
                data("GET", "/auth/v1/user"),
                data("PUT", "/auth/v1/user", "{\"data\":{\"name\":\"x\"},\"email\":\"c@example.com\"}"),
                data("POST", "/auth/v1/logout?scope=others"),
                data("GET", "/auth/v1/reauthenticate"),
                data(
                        "POST",
                        "/auth/v1/factors",
                        "{\"factor_type\":\"totp\",\"friendly_name\":\"phone\",\"issuer\":\"x\"}"),
                data("DELETE", "/auth/v1/factors/" + id),
                data("POST", "/auth/v1/factors/" + id + "/challenge", "{\"channel\":\"sms\"}"),
                data(
                        "POST",
                        "/auth/v1/factors/" + id + "/verify",
                        "{\"challenge_id\":\"" + id + "\",\"code\":\"123456\"}"),
                data("POST", "/auth/v1/invite", "{\"email\":\"d@example.com\",\"data\":{}}"),
                data(
                        "POST",
                        "/auth/v1/admin/generate_link",
                        "{\"type\":\"magiclink\",\"email\":\"fuzz@example.com\",\"redirect_to\":\"http://localhost/\"}"),
                data("GET", "/auth/v1/admin/users?page=1&per_page=3"),
                data(
                        "POST",
                        "/auth/v1/admin/users",
                        "{\"email\":\"e@example.com\",\"phone\":\"491701234567\",\"email_confirm\":true,\"user_metadata\":{\"a\":1},\"app_metadata\":{},\"ban_duration\":\"1h\"}"),
                data("GET", "/auth/v1/admin/users/" + id),
                data("PUT", "/auth/v1/admin/users/" + id, "{\"email\":\"f@example.com\",\"role\":\"x\"}"),
                data("DELETE", "/auth/v1/admin/users/" + id, "{\"should_soft_delete\":true}"),
                data("GET", "/auth/v1/admin/users/" + id + "/factors"),
                data("DELETE", "/auth/v1/admin/users/" + id + "/factors/" + id),
                data("POST", "/auth/v1/sso", "{\"domain\":\"example.com\"}"),
                data("GET", "/auth/v1/oauth/authorizations/x"));
    }

    /** Signed wrongly: their parsers come before the signature's refusal. */
    private static List<Route> s3() {
        String signed = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=0123456789abcdef0123456789abcdef/20260101"
                + "/us-east-1/s3/aws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=" + "a".repeat(64);
        return List.of(
                data("GET", "/storage/v1/s3?" + signed),
                data("GET", "/storage/v1/s3/b?list-type=2&prefix=a&delimiter=/&max-keys=2&" + signed),
                data("PUT", "/storage/v1/s3/b/o?" + signed, "content"),
                data("GET", "/storage/v1/s3/b/o?response-content-type=text/plain&" + signed),
                data(
                        "POST",
                        "/storage/v1/s3/b?delete&" + signed,
                        "<Delete><Object><Key>o</Key></Object><Quiet>true</Quiet></Delete>"),
                data("POST", "/storage/v1/s3/b/o?uploads&" + signed),
                data("PUT", "/storage/v1/s3/b/o?partNumber=1&uploadId=x&" + signed, "content"),
                data(
                        "POST",
                        "/storage/v1/s3/b/o?uploadId=x&" + signed,
                        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>e</ETag></Part></CompleteMultipartUpload>"),
                data("POST", "/storage/v1/s3/b", "key=o&policy=e30=&x-amz-signature=a"));
    }

    private static List<Route> storage() {
        return List.of(
                data("GET", "/storage/v1/bucket?limit=3&offset=0&sortColumn=id&sortOrder=asc&search=b"),
                data(
                        "POST",
                        "/storage/v1/bucket",
                        "{\"id\":\"c\",\"name\":\"c\",\"public\":true,\"file_size_limit\":1000,\"allowed_mime_types\":[\"image/*\"]}"),
                data("GET", "/storage/v1/bucket/b"),
                data("PUT", "/storage/v1/bucket/b", "{\"public\":true,\"file_size_limit\":\"1MB\"}"),
                data("POST", "/storage/v1/bucket/c/empty"),
                data("DELETE", "/storage/v1/bucket/c"),
                data("POST", "/storage/v1/object/b/o.txt", "content"),
                data("PUT", "/storage/v1/object/b/a/o.txt", "content"),
                data("GET", "/storage/v1/object/b/o.txt?download=x.txt"),
                data("HEAD", "/storage/v1/object/b/o.txt"),
                data("GET", "/storage/v1/object/public/b/o.txt"),
                data("GET", "/storage/v1/object/authenticated/b/o.txt"),
                data("GET", "/storage/v1/object/info/b/o.txt"),
                data(
                        "POST",
                        "/storage/v1/object/list/b",
                        "{\"prefix\":\"a\",\"limit\":10,\"offset\":0,\"search\":\"o\",\"sortBy\":{\"column\":\"name\",\"order\":\"asc\"}}"),
                data(
                        "POST",
                        "/storage/v1/object/list-v2/b",
                        "{\"prefix\":\"\",\"limit\":1,\"with_delimiter\":true,\"cursor\":\"eyJuIjoiYSJ9\",\"sortBy\":{\"column\":\"updated_at\"}}"),
                data(
                        "POST",
                        "/storage/v1/object/move",
                        "{\"bucketId\":\"b\",\"sourceKey\":\"o.txt\",\"destinationKey\":\"p.txt\"}"),
                data(
                        "POST",
                        "/storage/v1/object/copy",
                        "{\"bucketId\":\"b\",\"sourceKey\":\"o.txt\",\"destinationKey\":\"q.txt\",\"metadata\":{\"a\":1}}"),
                data("DELETE", "/storage/v1/object/b/p.txt"),
                data("DELETE", "/storage/v1/object/b", "{\"prefixes\":[\"q.txt\",\"r.txt\"]}"),
                data("DELETE", "/storage/v1/cdn/b/o.txt?transformations=true"),
                data(
                        "POST",
                        "/storage/v1/object/copy",
                        "{\"bucketId\":\"b\",\"sourceKey\":\"a\",\"destinationBucket\":\"b\",\"destinationKey\":\"d\",\"recursive\":true,\"cursor\":\"a/b\"}"),
                data(
                        "POST",
                        "/storage/v1/object/move",
                        "{\"bucketId\":\"b\",\"sourceKey\":\"d\",\"destinationKey\":\"e/f\",\"recursive\":true}"),
                data("DELETE", "/storage/v1/object/b", "{\"prefixes\":[\"e\"],\"recursive\":true}"),
                data("GET", "/storage/v1/versions/b/o.txt?version=11111111-1111-4111-8111-111111111111"),
                data("GET", "/storage/v1/versions/b?prefix=a&after=a/b&limit=10"),
                data("POST", "/storage/v1/versions/b/o.txt", "{\"version\":\"11111111-1111-4111-8111-111111111111\"}"),
                data("DELETE", "/storage/v1/versions/b/o.txt?version=11111111-1111-4111-8111-111111111111"),
                data("GET", "/storage/v1/webhooks"),
                data("POST", "/storage/v1/object/sign/b/o.txt", "{\"expiresIn\":60}"),
                data("POST", "/storage/v1/object/sign/b", "{\"expiresIn\":60,\"paths\":[\"o.txt\",\"z\"]}"),
                data("GET", "/storage/v1/object/sign/b/o.txt?token=a.b.c"),
                data("POST", "/storage/v1/object/upload/sign/b/s.txt", "{}"),
                data("PUT", "/storage/v1/object/upload/sign/b/s.txt?token=a.b.c", "content"),
                data("POST", "/storage/v1/upload/resumable"),
                data("GET", "/storage/v1/render/image/public/b/o.txt?width=10"));
    }

    private static List<Route> graphql() {
        String hash = "0".repeat(64);
        return List.of(
                data("POST", "/graphql/v1", "{\"query\":\"{ __typename }\"}"),
                data(
                        "POST",
                        "/graphql/v1",
                        "{\"query\":\"query A($n: Int = 2, $f: TodoFilter) { todoCollection(first: $n, filter: $f, orderBy:"
                                + " [{id: DescNullsLast}]) { edges { cursor node { id title list { name } info } }"
                                + " pageInfo { endCursor } } }\",\"operationName\":\"A\",\"variables\":{\"n\":3,"
                                + "\"f\":{\"done\":{\"eq\":false},\"or\":[{\"id\":{\"in\":[1,2]}},{\"title\":{\"like\":\"t%\"}}]}}}"),
                data(
                        "POST",
                        "/graphql/v1",
                        "{\"query\":\"mutation($o: [ListInsertInput!]!) { insertIntoListCollection(objects: $o)"
                                + " { affectedCount records { id nodeId } } }\","
                                + "\"variables\":{\"o\":[{\"id\":70,\"name\":\"seventy\"}]}}"),
                data(
                        "POST",
                        "/graphql/v1",
                        "{\"query\":\"mutation { updateTodoCollection(set: {title: \\\"x\\\"}, filter: {id: {eq: 3}})"
                                + " { affectedCount } deleteFromTodoCollection(filter: {id: {eq: 38}}) { affectedCount } }\"}"),
                data(
                        "POST",
                        "/graphql/v1",
                        "{\"query\":\"{ __type(name: \\\"Todo\\\") { fields { name type { kind name } } } }\"}",
                        "{\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"" + hash + "\"}}}"),
                data("GET", "/graphql/v1?query=%7B%20listByPk(id:%201)%20%7B%20name%20%7D%20%7D&variables=%7B%7D"),
                data("OPTIONS", "/graphql/v1"),
                data("POST", "/graphql/v1/more", "{}"));
    }

    private static List<Route> others() {
        return List.of(
                data("POST", "/functions/v1/echo", "{\"a\":1}"),
                data("GET", "/functions/v1/echo/sub/path?a=1"),
                data("OPTIONS", "/functions/v1/echo"),
                data("POST", "/functions/v1/absent", "text"),
                data("GET", "/realtime/v1/websocket?vsn=1.0.0"),
                data("POST", "/realtime/v1/api/broadcast", "{\"messages\":[]}"),
                data("GET", "/"),
                data("GET", "/.well-known/jwks.json"),
                data("GET", "/rest/v2/todo"),
                data("POST", "/sql", "{\"query\":\"SELECT 1\"}"));
    }
}

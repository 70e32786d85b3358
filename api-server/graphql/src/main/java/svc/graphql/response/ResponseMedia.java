package svc.graphql.response;

import java.util.List;
import java.util.Locale;

/** The media type of an answer, which also decides the status of an operation that was not run. */
public enum ResponseMedia {
    /** pg_graphql's: 200 whatever the errors. */
    JSON("application/json; charset=utf-8"),
    /** "GraphQL over HTTP": 400 for an operation that was not run, whose answer has no data. */
    GRAPHQL_RESPONSE("application/graphql-response+json; charset=utf-8");

    private final String contentType;

    ResponseMedia(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    /** The first type of the Accept headers that can be given; JSON if there is none. */
    public static ResponseMedia of(List<String> accept) {
        for (String header : accept) {
            for (String range : header.split(",")) {
                String[] parts = range.split(";");
                String type = parts.length == 0 ? "" : parts[0].strip().toLowerCase(Locale.ROOT);
                switch (type) {
                    case "application/graphql-response+json" -> {
                        return GRAPHQL_RESPONSE;
                    }
                    case "application/json", "*/*", "application/*" -> {
                        return JSON;
                    }
                    default -> {}
                }
            }
        }
        return JSON;
    }
}

package svc.operator.project.desired;

/** The URLs of projects, from one template. */
public final class ProjectAddresses {
    private static final String PLACEHOLDER = "{ref}";

    private final String template;

    /** @param template an absolute http or https address with <code>{ref}</code> in it, without a slash at its end */
    public ProjectAddresses(String template) {
        if (!template.contains(PLACEHOLDER) || !template.startsWith("http") || template.endsWith("/")) {
            throw new IllegalArgumentException(
                    "svc.data-url must be an http(s) URL that contains {ref} and does not end in /: " + template);
        }
        this.template = template;
    }

    public Addresses of(String ref) {
        return new Addresses(template.replace(PLACEHOLDER, ref));
    }

    /**
     * One project's addresses (SPEC §4.7).
     *
     * @param url the URL for creating a client
     */
    public record Addresses(String url) {
        public String rest() {
            return url + "/rest/v1";
        }

        public String auth() {
            return url + "/auth/v1";
        }

        public String storage() {
            return url + "/storage/v1";
        }

        /** A WebSocket address: ws where the project is served over http, wss otherwise. */
        public String realtime() {
            return url.replaceFirst("^http", "ws") + "/realtime/v1";
        }

        public String graphql() {
            return url + "/graphql/v1";
        }

        public String functions() {
            return url + "/functions/v1";
        }
    }
}

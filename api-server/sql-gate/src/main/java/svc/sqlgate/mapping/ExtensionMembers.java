package svc.sqlgate.mapping;

import java.util.Set;

/**
 * What the allowed extensions bring, by the names that scripts qualify with {@code public}: dumps and older projects have their
 * extensions there, while here all of them are in one schema for all projects. A function of such a name may be the project's own:
 * {@link OwnFunctions} knows which are. Types and operator classes hardly are.
 */
final class ExtensionMembers {
    static final String SCHEMA = "extensions";

    private static final String PUBLIC = "public";

    private static final Set<String> TYPES = Set.of(
            "vector", "halfvec", "sparsevec", "citext", "hstore", "ghstore", "ltree", "lquery", "ltxtquery", "gtrgm");

    private static final Set<String> FUNCTIONS = Set.of(
            "uuid_generate_v1",
            "uuid_generate_v1mc",
            "uuid_generate_v3",
            "uuid_generate_v4",
            "uuid_generate_v5",
            "uuid_nil",
            "uuid_ns_dns",
            "uuid_ns_url",
            "uuid_ns_oid",
            "uuid_ns_x500",
            "gen_salt",
            "gen_random_bytes",
            "gen_random_uuid",
            "crypt",
            "digest",
            "hmac",
            "pgp_sym_encrypt",
            "pgp_sym_decrypt",
            "moddatetime",
            "unaccent",
            "similarity",
            "word_similarity",
            "strict_word_similarity",
            "show_trgm",
            "set_limit",
            "show_limit",
            "levenshtein",
            "levenshtein_less_equal",
            "soundex",
            "difference",
            "metaphone",
            "dmetaphone",
            "cosine_distance",
            "l2_distance",
            "l1_distance",
            "inner_product",
            "vector_dims",
            "l2_normalize");

    private static final Set<String> OPERATOR_CLASSES = Set.of(
            "gin_trgm_ops",
            "gist_trgm_ops",
            "gin_hstore_ops",
            "gist_hstore_ops",
            "gist_ltree_ops",
            "gist__ltree_ops",
            "citext_ops",
            "vector_ops",
            "vector_l2_ops",
            "vector_ip_ops",
            "vector_cosine_ops",
            "vector_l1_ops",
            "halfvec_l2_ops",
            "halfvec_ip_ops",
            "halfvec_cosine_ops",
            "halfvec_l1_ops",
            "sparsevec_l2_ops",
            "sparsevec_ip_ops",
            "sparsevec_cosine_ops",
            "sparsevec_l1_ops",
            "bit_hamming_ops",
            "bit_jaccard_ops");

    private ExtensionMembers() {}

    static boolean isType(String schema, String name) {
        return PUBLIC.equals(schema) && TYPES.contains(name);
    }

    static boolean isFunction(String schema, String name) {
        return PUBLIC.equals(schema) && isFunction(name);
    }

    static boolean isFunction(String name) {
        return FUNCTIONS.contains(name);
    }

    static boolean isOperatorClass(String schema, String name) {
        return PUBLIC.equals(schema) && OPERATOR_CLASSES.contains(name);
    }
}

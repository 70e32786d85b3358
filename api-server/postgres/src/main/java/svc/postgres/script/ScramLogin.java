package svc.postgres.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677) without channel binding: it proves, and asks for proof. */
final class ScramLogin {
    static final String MECHANISM = "SCRAM-SHA-256";

    private static final String HEADER = "n,,";

    /** Any number will do for a password of 256 random bits; this only keeps a false server from wasting our time. */
    private static final int MAX_ITERATIONS = 100_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final String password;
    private final String nonce;
    private final String firstBare;
    private byte[] serverSignature;

    ScramLogin(String password) {
        this.password = password;
        byte[] random = new byte[18];
        RANDOM.nextBytes(random);
        this.nonce = Base64.getEncoder().encodeToString(random);
        // PostgreSQL takes the user from the start-up message and ignores the one here.
        this.firstBare = "n=*,r=" + nonce;
    }

    String first() {
        return HEADER + firstBare;
    }

    /** The client's proof for the server's challenge. */
    String answer(String challenge) throws IOException {
        Map<Character, String> fields = fields(challenge);
        String serverNonce = fields.getOrDefault('r', "");
        int iterations = Integer.parseInt(fields.getOrDefault('i', "0"));
        if (!serverNonce.startsWith(nonce) || iterations < 1 || iterations > MAX_ITERATIONS) {
            throw new IOException("the server's challenge is not one of SCRAM");
        }
        try {
            byte[] salt = Base64.getDecoder().decode(fields.getOrDefault('s', ""));
            byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, 256))
                    .getEncoded();
            byte[] clientKey = hmac(salted, "Client Key");
            byte[] storedKey = MessageDigest.getInstance("SHA-256").digest(clientKey);
            String withoutProof = "c=" + Base64.getEncoder().encodeToString(HEADER.getBytes(StandardCharsets.UTF_8))
                    + ",r=" + serverNonce;
            String conversation = firstBare + "," + challenge + "," + withoutProof;
            byte[] proof = hmac(storedKey, conversation);
            for (int i = 0; i < proof.length; i++) {
                proof[i] ^= clientKey[i];
            }
            serverSignature = hmac(hmac(salted, "Server Key"), conversation);
            return withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks an algorithm of SCRAM-SHA-256", e);
        }
    }

    /** @throws IOException when the server does not know the password's verifier: it is not our server */
    void verify(String last) throws IOException {
        byte[] presented = Base64.getDecoder().decode(fields(last).getOrDefault('v', ""));
        if (serverSignature == null || !MessageDigest.isEqual(presented, serverSignature)) {
            throw new IOException("the server could not prove that it knows the login");
        }
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<Character, String> fields(String message) {
        Map<Character, String> fields = new HashMap<>();
        for (String field : message.split(",")) {
            if (field.length() > 1 && field.charAt(1) == '=') {
                fields.put(field.charAt(0), field.substring(2));
            }
        }
        return fields;
    }
}

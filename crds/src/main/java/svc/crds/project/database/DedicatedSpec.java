package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import svc.crds.reference.LocalReference;

/** A database for one project: an existing one, or a Cluster that the operator creates. */
@ValidationRule(
        value = "has(self.connectionSecretRef) != has(self.cluster)",
        message =
                "set connectionSecretRef for a database that exists, or cluster for one to create: exactly one of them")
@ValidationRule(
        value = "has(self.cluster) == has(oldSelf.cluster)",
        message =
                "a created cluster and an existing database cannot replace each other: create another Project and copy the data")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DedicatedSpec(
        @JsonPropertyDescription(
                "Secret with the connection to an existing database (keys host, port, dbname, user, password, sslmode, ca.crt; for an adopted one also owner-user and owner-password, the login for SQL of the Management API).")
        LocalReference connectionSecretRef,

        @JsonPropertyDescription("The CloudNativePG Cluster to create.")
        ClusterSpec cluster) {}

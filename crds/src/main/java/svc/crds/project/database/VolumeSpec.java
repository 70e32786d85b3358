package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;

/** The volume of each instance of a database cluster. */
@ValidationRule(
        value =
                "has(self.storageClass) == has(oldSelf.storageClass) && (!has(self.storageClass) || self.storageClass == oldSelf.storageClass)",
        message = "storageClass cannot be changed after creation: a volume does not move between classes",
        fieldPath = ".storageClass")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VolumeSpec(
        @Required @JsonPropertyDescription("Size of the volume, such as 10Gi. It can grow but not shrink.")
        Quantity size,

        @Size(min = 1, max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        @JsonPropertyDescription("StorageClass of the volume; the default class of the cluster if absent.")
        String storageClass) {}

package svc.crds.secret;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import svc.crds.reference.LocalReference;

/** One environment variable of one function, or of all functions of a project; its value is in a Secret. */
@ValidationRule(
        value = "self.projectRef == oldSelf.projectRef",
        message = "projectRef cannot be changed: create another FunctionSecret",
        fieldPath = ".projectRef")
@ValidationRule(
        value =
                "has(self.functionName) == has(oldSelf.functionName) && (!has(self.functionName) || self.functionName == oldSelf.functionName)",
        message = "functionName cannot be changed: create another FunctionSecret",
        fieldPath = ".functionName")
@ValidationRule(
        value = "self.key == oldSelf.key",
        message = "key cannot be changed: create another FunctionSecret",
        fieldPath = ".key")
@ValidationRule(
        value = "!self.key.matches('^(SVC|SUPABASE)_')",
        message = "names that begin with SVC_ or SUPABASE_ are set by the platform: choose another",
        fieldPath = ".key")
@ValidationRule(
        value = "!self.key.matches('^(DENO|LD)_')",
        message = "names that begin with DENO_ or LD_ control the runtime: choose another",
        fieldPath = ".key")
@JsonClassDescription("What the variable is to be.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FunctionSecretSpec(
        @Required @JsonPropertyDescription("The Project of the function.")
        LocalReference projectRef,

        @Size(min = 1, max = 63)
        @Pattern("^[A-Za-z][A-Za-z0-9_-]*$")
        @JsonPropertyDescription(
                "The name of the function that gets the variable; all functions of the Project if absent. A function's own"
                        + " variable wins.")
        String functionName,

        @Required
        @Size(min = 1, max = 128)
        @Pattern("^[A-Za-z_][A-Za-z0-9_]*$")
        @JsonPropertyDescription("Name of the environment variable.")
        String key,

        @Required @JsonPropertyDescription("Source of the value.")
        SecretSource valueFrom) {}

{{/*
Values that cannot work stop the rendering in words that say what to set. The schema refuses what has the wrong type or form;
this refuses what does not go together, and what a message of the schema would not explain.
*/}}
{{- define "svc.checks" -}}
{{- include "svc.checks.stop" (include "svc.checks.nulls" . | fromYamlArray) -}}
{{- $faults := list -}}
{{- range list "hosts" "servers" "exposure" "postgresEndpoint" "namespaces" "images" "labels" -}}
{{- $faults = concat $faults (include (printf "svc.checks.%s" .) $ | fromYamlArray) -}}
{{- end -}}
{{- range $key := list "operator" "controlPlane" "dataPlane" -}}
{{- $faults = concat $faults (include "svc.checks.component" (dict "root" $ "key" $key "values" (index $.Values $key)) | fromYamlArray) -}}
{{- end -}}
{{- include "svc.checks.stop" $faults -}}
{{- end -}}

{{/* Of: a list of faults. */}}
{{- define "svc.checks.stop" -}}
{{- with . -}}
{{- fail (printf "\n\nThe chart cannot be installed with these values:\n  - %s\n" (join "\n  - " .)) -}}
{{- end -}}
{{- end -}}

{{/*
null removes a default. Maps, lists and texts may be empty in this way; files/needed-values.txt has what the templates cannot do
without. A test sets every value to null.
*/}}
{{- define "svc.checks.nulls" -}}
{{- range $line := .Files.Lines "files/needed-values.txt" -}}
{{- range $key := contains "*" $line | ternary (list "operator" "controlPlane" "dataPlane") (list "") -}}
{{- $path := replace "*component*" $key $line -}}
{{- $at := dict "value" $.Values -}}
{{- range without (splitList "." $path) "" -}}
{{- $_ := set $at "value" (index (kindIs "map" $at.value | ternary $at.value dict) .) -}}
{{- end -}}
{{- if kindIs "invalid" $at.value }}
- {{ printf "%s: null removes the default, which is needed: leave the key out, or set a value" $path | quote }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "svc.checks.hosts" -}}
{{- with .Values.platform -}}
{{- if not .dataHost }}
- "platform.dataHost: set the domain of the projects, such as data.example.com"
{{- end }}
{{- if not .apiHost }}
- "platform.apiHost: set the host of the Management API, such as api.example.com"
{{- end }}
{{- if and .dataHost .apiHost }}
{{- if eq .dataHost .apiHost }}
- "platform.apiHost: must not be platform.dataHost: projects are below that, and would share cookies with the API"
{{- else if hasSuffix (printf ".%s" .dataHost) .apiHost }}
- "platform.apiHost: must not be below platform.dataHost, where projects are"
{{- else if hasSuffix (printf ".%s" .apiHost) .dataHost }}
- "platform.dataHost: must not be below platform.apiHost: projects would share cookies with the API"
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* PostgreSQL, Redis, S3 and mail. */}}
{{- define "svc.checks.servers" -}}
{{- with .Values.database -}}
{{- if and (eq .mode "external") (not .host) }}
- "database.host: set the host of PostgreSQL, or database.mode to cnpg"
{{- end }}
{{- if and (eq .mode "external") (not .existingSecret) }}
- "database.existingSecret: name the Secret with the password of the provisioning login"
{{- end }}
{{- if hasKey (.parameters | default dict) "sslmode" }}
- "database.parameters: has sslmode, which database.sslMode sets: remove it"
{{- end }}
{{- end -}}
{{- if not .Values.redis.host }}
- "redis.host: set the host of Redis"
{{- end }}
{{- with .Values.s3 }}
{{- if and .bucket (eq .credentials "keys") (not .existingSecret) }}
- "s3.existingSecret: name the Secret with the credentials of the bucket, or set s3.credentials to environment"
{{- end }}
{{- if and .caSecret (hasPrefix "http://" (.endpoint | default "")) }}
- "s3.caSecret: s3.endpoint has no certificate: make it https, or remove the authorities"
{{- end }}
{{- end }}
{{- with .Values.mail }}
{{- if and .host (not .from) }}
- "mail.from: set the address that mails come from"
{{- end }}
{{- if and .username (not .existingSecret) }}
- "mail.existingSecret: name the Secret with the password of mail.username"
{{- end }}
{{- end }}
{{- end -}}

{{- define "svc.checks.postgresEndpoint" -}}
{{- with .Values.postgresEndpoint }}
{{- if and .enabled (not .tlsSecret) }}
- "postgresEndpoint.tlsSecret: name the Secret with the certificate of postgresEndpoint.publicHost: passwords are not sent unencrypted"
{{- end }}
{{- if and .enabled (not .publicHost) }}
- "postgresEndpoint.publicHost: set the host that leads to the Service of the endpoint, such as db.example.com"
{{- end }}
{{- end }}
{{- end -}}

{{- define "svc.checks.exposure" -}}
{{- $exposed := or .Values.exposure.ingress.enabled .Values.exposure.gateway.enabled -}}
{{- if and .Values.exposure.gateway.enabled (not .Values.exposure.gateway.parentRefs) }}
- "exposure.gateway.parentRefs: name the Gateway that the routes attach to"
{{- end }}
{{- if and $exposed (not .Values.platform.trustedProxies) }}
- "platform.trustedProxies: name the addresses or networks of the Ingress controller or Gateway, or all callers share the limits of one address"
{{- end }}
{{- if and .Values.metrics.serviceMonitor.enabled (not .Values.network.metricsFrom) }}
- "network.metricsFrom: name the pods of Prometheus, which the NetworkPolicies would keep out"
{{- end }}
{{- end -}}

{{- define "svc.checks.namespaces" -}}
{{- $watched := .Values.platform.watchNamespaces | default list -}}
{{- if and .Values.platform.clusterWide $watched }}
- "platform.watchNamespaces: names the namespaces that are served, and platform.clusterWide says all: set one of them"
{{- end }}
{{- if has .Release.Namespace $watched }}
- "platform.watchNamespaces: must not include the platform's own namespace, whose Secrets the writers of projects shall not reach"
{{- end }}
{{- if eq (include "svc.projectNamespace" .) .Release.Namespace }}
- "platform.projectNamespace: must not be the platform's own, whose Secrets the functions of projects shall not stand beside"
{{- end }}
{{- end -}}

{{- define "svc.checks.images" -}}
{{- range $path, $image := dict "operator" .Values.operator.image "controlPlane" .Values.controlPlane.image "dataPlane" .Values.dataPlane.image "functions" .Values.functions.image }}
{{- if eq ($image.tag | default "") "latest" }}
- {{ printf "%s.image.tag: latest is another image every day: name a version, or a digest" $path | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "svc.checks.labels" -}}
{{- $own := include "svc.ownLabels" (dict "root" . "component" "any") | fromYaml | keys | sortAlpha -}}
{{- $metrics := .Values.metrics -}}
{{- range $path, $labels := dict "global.commonLabels" .Values.global.commonLabels "metrics.serviceMonitor.labels" $metrics.serviceMonitor.labels "metrics.prometheusRule.labels" $metrics.prometheusRule.labels "metrics.dashboards.labels" $metrics.dashboards.labels }}
{{- range $key := $own }}
{{- if hasKey ($labels | default dict) $key }}
- {{ printf "%s: has %s, by which the chart or Helm finds objects: remove it" $path $key | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Of: key, values, root. */}}
{{- define "svc.checks.component" -}}
{{- $key := .key -}}
{{- $selector := include "svc.selector" (dict "root" .root "component" "any") | fromYaml | keys | sortAlpha -}}
{{- with .values -}}
{{- range $label := $selector }}
{{- if hasKey ($.values.podLabels | default dict) $label }}
- {{ printf "%s.podLabels: has %s, by which Services and policies select the pods: remove it" $key $label | quote }}
{{- end }}
{{- end }}
{{- if and .autoscaling.enabled (gt (int64 .autoscaling.min) (int64 .autoscaling.max)) }}
- {{ printf "%s.autoscaling.max: must not be below %s.autoscaling.min: %d pods are fewer than %d" $key $key (int64 .autoscaling.max) (int64 .autoscaling.min) | quote }}
{{- end }}
{{- if ge (mul 2 (int64 .preStopSleepSeconds)) (int64 .terminationGracePeriodSeconds) }}
- {{ printf "%s.terminationGracePeriodSeconds: must be more than twice %s.preStopSleepSeconds, which a stopping pod sleeps before and after its last connection" $key $key | quote }}
{{- end }}
{{- $names := list }}
{{- range .extraEnv }}{{ $names = append $names .name }}{{ end }}
{{- if ne (len $names) (len (uniq $names)) }}
- {{ printf "%s.extraEnv: has a name twice: remove one of both" $key | quote }}
{{- end }}
{{- end -}}
{{- end -}}

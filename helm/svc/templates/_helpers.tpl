{{- define "svc.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The labels that every object has. */}}
{{- define "svc.labels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: svc
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.global.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* metadata of an object. Of: root, name, component; namespace, annotations, labels if there are any. */}}
{{- define "svc.metadata" -}}
name: {{ .name }}
{{- if .namespace }}
namespace: {{ .namespace }}
{{- end }}
labels:
  {{- include "svc.labels" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .component }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.global.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* What tells the pods of a component from all others; never changes over upgrades. */}}
{{- define "svc.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Reference of an image. Of: root, image. */}}
{{- define "svc.image" -}}
{{- $registry := .image.registry | default .root.Values.global.imageRegistry -}}
{{- if $registry }}{{ trimSuffix "/" $registry }}/{{ end -}}
{{- .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion -}}
{{- with .image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{- define "svc.account" -}}
{{- if .values.serviceAccount.create -}}
{{- .values.serviceAccount.name | default .name -}}
{{- else -}}
{{- required (printf "%s.serviceAccount.name: name the account, or let the chart make one" .key) .values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* ":port" of public addresses, or nothing. */}}
{{- define "svc.port" -}}
{{- with .Values.platform.port }}:{{ . }}{{ end -}}
{{- end -}}

{{- define "svc.dataUrl" -}}
{{ .Values.platform.scheme }}://{ref}.{{ .Values.platform.dataHost }}{{ include "svc.port" . }}
{{- end -}}

{{- define "svc.apiUrl" -}}
{{ .Values.platform.scheme }}://{{ .Values.platform.apiHost }}{{ include "svc.port" . }}/v1
{{- end -}}

{{- define "svc.projectNamespace" -}}
{{- .Values.platform.projectNamespace | default (printf "%s-projects" (.Release.Namespace | default "svc")) -}}
{{- end -}}

{{/* The namespaces that are served, as a comma-separated text; empty: all. */}}
{{- define "svc.watched" -}}
{{- if not .Values.platform.clusterWide -}}
{{- append .Values.platform.watchNamespaces (include "svc.projectNamespace" .) | uniq | join "," -}}
{{- end -}}
{{- end -}}

{{- define "svc.clusterName" -}}
{{- .Values.database.cnpg.clusterName | default (printf "%s-db" (include "svc.fullname" .)) -}}
{{- end -}}

{{- define "svc.databaseSecret" -}}
{{- if eq .Values.database.mode "cnpg" -}}
{{- .Values.database.existingSecret | default (printf "%s-superuser" (include "svc.clusterName" .)) -}}
{{- else -}}
{{- .Values.database.existingSecret -}}
{{- end -}}
{{- end -}}

{{- define "svc.jdbcUrl" -}}
{{- $host := .Values.database.host -}}
{{- if eq .Values.database.mode "cnpg" -}}
{{- $host = printf "%s-rw.%s.svc" (include "svc.clusterName" .) .Release.Namespace -}}
{{- end -}}
jdbc:postgresql://{{ $host }}:{{ .Values.database.port }}/{{ .Values.database.name }}?sslmode={{ .Values.database.sslMode }}
{{- range $name, $value := .Values.database.parameters }}&{{ $name }}={{ $value | urlquery }}{{ end -}}
{{- end -}}

{{- define "svc.masterKeySecret" -}}
{{- .Values.secrets.masterKey.existingSecret | default (printf "%s-master-key" (include "svc.fullname" .)) -}}
{{- end -}}

{{- define "svc.adminTokenSecret" -}}
{{- .Values.secrets.adminToken.existingSecret | default (printf "%s-admin-token" (include "svc.fullname" .)) -}}
{{- end -}}

{{/* What is missing, or was renamed, stops the rendering in words that say what to set. */}}
{{- define "svc.checks" -}}
{{- $faults := list -}}
{{- with .Values.platform }}
{{- if not .dataHost }}{{ $faults = append $faults "platform.dataHost: set the domain of the projects, such as data.example.com" }}{{ end }}
{{- if not .apiHost }}{{ $faults = append $faults "platform.apiHost: set the host of the Management API, such as api.example.com" }}{{ end }}
{{- if and .dataHost (hasSuffix (printf ".%s" .dataHost) .apiHost) }}{{ $faults = append $faults "platform.apiHost: must not be below platform.dataHost, where projects are" }}{{ end }}
{{- end }}
{{- with .Values.database }}
{{- if eq .mode "external" }}
{{- if not .host }}{{ $faults = append $faults "database.host: set the host of PostgreSQL, or database.mode to cnpg" }}{{ end }}
{{- if not .existingSecret }}{{ $faults = append $faults "database.existingSecret: name the Secret with the password of the provisioning login" }}{{ end }}
{{- end }}
{{- end }}
{{- if not .Values.redis.host }}{{ $faults = append $faults "redis.host: set the host of Redis" }}{{ end }}
{{- if and .Values.s3.bucket (eq .Values.s3.credentials "keys") (not .Values.s3.existingSecret) }}{{ $faults = append $faults "s3.existingSecret: name the Secret with the credentials of the bucket, or set s3.credentials to environment" }}{{ end }}
{{- if and .Values.s3.caSecret (hasPrefix "http://" .Values.s3.endpoint) }}{{ $faults = append $faults "s3.caSecret: s3.endpoint has no certificate: make it https, or remove the authorities" }}{{ end }}
{{- if and .Values.mail.host (not .Values.mail.from) }}{{ $faults = append $faults "mail.from: set the address that mails come from" }}{{ end }}
{{- if and .Values.mail.username (not .Values.mail.existingSecret) }}{{ $faults = append $faults "mail.existingSecret: name the Secret with the password of mail.username" }}{{ end }}
{{- if and .Values.exposure.gateway.enabled (not .Values.exposure.gateway.parentRefs) }}{{ $faults = append $faults "exposure.gateway.parentRefs: name the Gateway that the routes attach to" }}{{ end }}
{{- if and (or .Values.exposure.ingress.enabled .Values.exposure.gateway.enabled) (not .Values.platform.trustedProxies) }}{{ $faults = append $faults "platform.trustedProxies: name the addresses or networks of the Ingress controller or Gateway, or all callers share the limits of one address" }}{{ end }}
{{- if and .Values.platform.clusterWide .Values.platform.watchNamespaces }}{{ $faults = append $faults "platform.watchNamespaces: names the namespaces that are served, and platform.clusterWide says all: set one of them" }}{{ end }}
{{- if has .Release.Namespace .Values.platform.watchNamespaces }}{{ $faults = append $faults "platform.watchNamespaces: must not include the platform's own namespace, whose Secrets the writers of projects shall not reach" }}{{ end }}
{{- if and .Values.metrics.serviceMonitor.enabled (not .Values.network.metricsFrom) }}{{ $faults = append $faults "network.metricsFrom: name the pods of Prometheus, which the NetworkPolicies would keep out" }}{{ end }}
{{- if eq (include "svc.projectNamespace" .) .Release.Namespace }}{{ $faults = append $faults "platform.projectNamespace: must not be the platform's own, whose Secrets the functions of projects shall not stand beside" }}{{ end }}
{{- with $faults }}
{{- fail (printf "\n\nThe chart cannot be installed with these values:\n  - %s\n" (join "\n  - " .)) }}
{{- end }}
{{- end -}}

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

{{/* Maps laid over each other, as YAML: of two values of a key the later one holds. Of: a list of maps, or of nothing. */}}
{{- define "svc.merged" -}}
{{- $merged := dict -}}
{{- range . -}}
{{- range $key, $value := . -}}
{{- $_ := set $merged $key $value -}}
{{- end -}}
{{- end -}}
{{- with $merged -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/* Numbers of a values file are floats, which print as 1e+06 from a million on. Other values print as they are. */}}
{{- define "svc.number" -}}
{{- if kindIs "float64" . -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* The labels by which the chart and Helm find objects; "svc.checks" keeps the values from naming them. Of: root, component. */}}
{{- define "svc.ownLabels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* metadata of an object. Of: root, name, component; namespace, annotations, labels if there are any. */}}
{{- define "svc.metadata" -}}
name: {{ .name }}
{{- if .namespace }}
namespace: {{ .namespace }}
{{- end }}
labels:
  {{- include "svc.merged" (list (dict "app.kubernetes.io/part-of" "svc") .root.Values.global.commonLabels .labels (include "svc.ownLabels" . | fromYaml)) | nindent 2 }}
{{- with include "svc.merged" (list .root.Values.global.commonAnnotations .annotations) }}
annotations:
  {{- . | nindent 2 }}
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
{{- with .Values.platform.port }}:{{ include "svc.number" . }}{{ end -}}
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
{{- append (.Values.platform.watchNamespaces | default list) (include "svc.projectNamespace" .) | uniq | join "," -}}
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
jdbc:postgresql://{{ $host }}:{{ include "svc.number" .Values.database.port }}/{{ .Values.database.name }}?sslmode={{ .Values.database.sslMode }}
{{- range $name, $value := .Values.database.parameters }}&{{ $name }}={{ $value | urlquery }}{{ end -}}
{{- end -}}

{{- define "svc.masterKeySecret" -}}
{{- .Values.secrets.masterKey.existingSecret | default (printf "%s-master-key" (include "svc.fullname" .)) -}}
{{- end -}}

{{- define "svc.adminTokenSecret" -}}
{{- .Values.secrets.adminToken.existingSecret | default (printf "%s-admin-token" (include "svc.fullname" .)) -}}
{{- end -}}

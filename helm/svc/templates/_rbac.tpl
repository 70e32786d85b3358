{{/*
The rights of one component: in the namespaces that are served, or in all. Of: root, key, component.
*/}}
{{- define "svc.rbac" -}}
{{- $name := printf "%s-%s" (include "svc.fullname" .root) .component -}}
{{- $account := include "svc.account" (dict "key" .key "name" $name "values" (index .root.Values .key)) -}}
{{- $watched := include "svc.watched" .root -}}
{{- if $watched }}
{{- range splitList "," $watched }}
{{- include "svc.rbac.pair" (dict "root" $.root "prefix" "" "name" $name "namespace" . "account" $account "component" $.component "rules" (include (printf "svc.%s.rules" $.component) $.root)) }}
{{- end }}
{{- else }}
{{- include "svc.rbac.pair" (dict "root" .root "prefix" "Cluster" "name" (printf "%s-%s" .root.Release.Namespace $name) "account" $account "component" .component "rules" (include (printf "svc.%s.rules" .component) .root)) }}
{{- end }}
{{- end -}}

{{/* A role and its binding. Of: root, prefix (Cluster or nothing), name, namespace, account, component, rules. */}}
{{- define "svc.rbac.pair" }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .prefix }}Role
metadata:
  {{- include "svc.metadata" . | nindent 2 }}
rules:
{{ .rules | indent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .prefix }}RoleBinding
metadata:
  {{- include "svc.metadata" . | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .prefix }}Role
  name: {{ .name }}
subjects:
  - kind: ServiceAccount
    name: {{ .account }}
    namespace: {{ .root.Release.Namespace }}
{{- end -}}

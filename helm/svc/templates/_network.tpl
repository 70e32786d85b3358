{{/*
Who may connect to the pods of a component, and where they may connect to: what it needs, by port and peer. A rule without
peers is for any address: the chart cannot know where PostgreSQL, Redis, S3 and the Kubernetes API are. Of: what
"svc.component.of" gives.
*/}}
{{- define "svc.networkPolicy" }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .root.Release.Namespace "component" .component) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "svc.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  # Without a rule, no connection. An empty list would be stored as none, and differ for ever.
  {{- with concat (include "svc.network.ingress" . | fromYamlArray) (.values.networkPolicy.extraIngress | default list) }}
  ingress:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  egress:
    {{- include "svc.network.egress" . | nindent 4 }}
    {{- with .values.networkPolicy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* One port: callers, metrics and probes. Only Prometheus calls the operator. */}}
{{- define "svc.network.ingress" -}}
{{- $network := .root.Values.network -}}
{{- if and (ne .component "operator") (not $network.ingressFrom) -}}
# Callers: any.
- ports:
    - {port: http, protocol: TCP}
{{- else -}}
{{- $from := list -}}
{{- if ne .component "operator" -}}
{{- $test := dict "podSelector" (dict "matchLabels" (include "svc.selector" (dict "root" .root "component" "test") | fromYaml)) -}}
{{- $from = append ($network.ingressFrom | default list) $test -}}
{{- end -}}
{{- if eq .component "data-plane" -}}
{{- $from = append $from (include "svc.network.functions" .root | fromYaml) -}}
{{- end -}}
{{- with concat $from ($network.metricsFrom | default list) -}}
- ports:
    - {port: http, protocol: TCP}
  from:
    {{- toYaml . | nindent 4 }}
{{- else -}}
[]
{{- end -}}
{{- end -}}
{{- if include "svc.component.servesPostgres" . }}
# Clients of the PostgreSQL endpoint.
- ports:
    - {port: postgres, protocol: TCP}
  {{- with $network.postgresFrom }}
  from:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* The pods that run functions, as one peer. */}}
{{- define "svc.network.functions" -}}
{{ include "svc.network.projects" . }}
podSelector:
  matchLabels:
    svc.platform/purpose: function
{{- end -}}

{{/* The realtime sidecars of projects with a dedicated database, as one peer. */}}
{{- define "svc.network.sidecars" -}}
{{ include "svc.network.projects" . }}
podSelector:
  matchLabels:
    svc.platform/purpose: realtime-sidecar
{{- end -}}

{{/* The namespaces of projects. */}}
{{- define "svc.network.projects" -}}
{{- with include "svc.watched" . }}
namespaceSelector:
  matchExpressions:
    - {key: kubernetes.io/metadata.name, operator: In, values: {{ splitList "," . | toJson }}}
{{- else }}
namespaceSelector: {}
{{- end }}
{{- end -}}

{{- define "svc.network.egress" -}}
{{- $network := .root.Values.network -}}
{{- $ofPlane := ne .component "operator" -}}
# Names.
- ports:
    - {port: 53, protocol: UDP}
    - {port: 53, protocol: TCP}
  {{- include "svc.network.to" $network.dnsTo | nindent 2 }}
# The Kubernetes API, whose address is not known beforehand.
{{ include "svc.network.rule" (dict "ports" (list 443 6443) "to" $network.kubernetesTo) }}
# PostgreSQL: the platform's, and those of projects with their own.
{{ include "svc.network.rule" (dict "ports" (list (int .root.Values.database.port) 5432) "to" $network.databaseTo) }}
{{- if $ofPlane }}
# Redis.
{{ include "svc.network.rule" (dict "ports" (list (int .root.Values.redis.port)) "to" $network.redisTo) }}
{{- if .root.Values.s3.bucket }}
# S3.
{{ include "svc.network.rule" (dict "ports" (list (include "svc.network.s3Port" .root | int)) "to" $network.s3To) }}
{{- end }}
{{- $registries := and (eq .component "control-plane") .root.Values.functions.privateRegistries }}
# The web: registries, providers of identities, hooks. Port 80 of a private address may be a cloud's metadata service.
{{ include "svc.network.rule" (dict "ports" (list 80 443) "to" (ternary (list) (include "svc.network.internet" .root | fromYamlArray) $registries)) }}
{{- end }}
{{- if eq .component "data-plane" }}
# Mail servers of projects, and the platform's.
{{ include "svc.network.rule" (dict "ports" (list 25 465 587 2525) "to" (include "svc.network.internet" .root | fromYamlArray)) }}
{{- if .root.Values.mail.host }}
{{ include "svc.network.rule" (dict "ports" (list (int .root.Values.mail.port)) "to" (list)) }}
{{- end }}
# Functions, and realtime sidecars.
{{ include "svc.network.rule" (dict "ports" (list 8080) "to" (list (include "svc.network.functions" .root | fromYaml) (include "svc.network.sidecars" .root | fromYaml))) }}
{{- end }}
{{- end -}}

{{/* Of: ports, of TCP; to, the peers. */}}
{{- define "svc.network.rule" -}}
- ports:
    {{- range uniq .ports }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
  {{- include "svc.network.to" .to | nindent 2 }}
{{- end -}}

{{- define "svc.network.to" -}}
{{- with . -}}
to:
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* Public addresses, as for functions: without the ranges of RFC 6890, and those that the values close. */}}
{{- define "svc.network.internet" -}}
{{- $closed4 := list "0.0.0.0/8" "10.0.0.0/8" "100.64.0.0/10" "127.0.0.0/8" "169.254.0.0/16" "172.16.0.0/12" "192.0.0.0/24" "192.168.0.0/16" "198.18.0.0/15" "224.0.0.0/3" -}}
{{- $closed6 := list "2001::/32" "2002::/16" -}}
{{- range .Values.platform.closedNetworks -}}
{{- if contains ":" . -}}{{- $closed6 = append $closed6 . -}}{{- else -}}{{- $closed4 = append $closed4 . -}}{{- end -}}
{{- end -}}
- ipBlock: {cidr: 0.0.0.0/0, except: {{ toJson $closed4 }}}
- ipBlock: {cidr: "2000::/3", except: {{ toJson $closed6 }}}
{{- end -}}

{{- define "svc.network.s3Port" -}}
{{- with regexFind ":[0-9]+(/|$)" (.Values.s3.endpoint | default "") -}}
{{- regexFind "[0-9]+" . -}}
{{- else -}}
{{- ternary "80" "443" (hasPrefix "http://" (.Values.s3.endpoint | default "")) -}}
{{- end -}}
{{- end -}}

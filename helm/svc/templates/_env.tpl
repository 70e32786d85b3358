{{/* The environment of each component. The keys are those of docs/operator.md and of the API server's configuration. */}}

{{- define "svc.env" -}}
- name: {{ .name }}
  value: {{ include "svc.number" .value | quote }}
{{ end -}}

{{- define "svc.env.secret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{ end -}}

{{/* Where database servers of projects may be: the same for every component. The platform's own are closed. */}}
{{- define "svc.projectServers.env" -}}
{{- with .Values.platform.projectServerNetworks }}
{{- include "svc.env" (dict "name" "SVC_PROJECT_SERVERS_NETWORKS" "value" (join "," .)) -}}
{{- end }}
{{- $own := list (regexReplaceAll "^jdbc:postgresql://(\\[[^]]+\\]|[^:/]+).*$" (include "svc.jdbcUrl" .) "${1}") -}}
{{- with .Values.redis.host }}{{- $own = append $own . -}}{{ end -}}
{{- with .Values.s3.endpoint }}{{- $own = append $own (urlParse .).hostname -}}{{ end -}}
{{- include "svc.env" (dict "name" "SVC_PROJECT_SERVERS_CLOSED" "value" (join "," $own)) -}}
{{- end -}}

{{/* Settings of pods that the operator makes; those with structure are JSON, which the operator validates when it starts. */}}
{{- define "svc.managedPods.env" -}}
{{- $pods := .Values.managedPods -}}
{{- $disk := $pods.ephemeralStorage | default dict -}}
{{- $max := $pods.maxResources | default dict -}}
{{- $secrets := list -}}
{{- range $pods.imagePullSecrets }}{{ $secrets = append $secrets .name }}{{ end -}}
{{- $settings := dict
  "IMAGE_PULL_SECRETS" (join "," $secrets)
  "RUNTIME_CLASS" $pods.runtimeClassName
  "PRIORITY_CLASS" $pods.priorityClassName
  "EPHEMERAL_STORAGE_REQUEST" $disk.request
  "EPHEMERAL_STORAGE_LIMIT" $disk.limit
  "MAX_CPU" $max.cpu
  "MAX_MEMORY" $max.memory
  "DNS_PORT" ($pods.dnsPort | default 53 | include "svc.number") -}}
{{- $structured := dict
  "NODE_SELECTOR" $pods.nodeSelector
  "TOLERATIONS" $pods.tolerations
  "AFFINITY" $pods.affinity
  "TOPOLOGY_SPREAD_CONSTRAINTS" $pods.topologySpreadConstraints
  "POD_SECURITY_CONTEXT" $pods.podSecurityContext
  "CONTAINER_SECURITY_CONTEXT" $pods.containerSecurityContext
  "DNS_TO" (default .Values.network.dnsTo $pods.dnsTo) -}}
{{- range $name, $value := $structured }}{{ with $value }}{{ $_ := set $settings $name (toJson .) }}{{ end }}{{ end -}}
{{- range $name, $value := $settings }}
{{- with $value }}
{{- include "svc.env" (dict "name" (printf "SVC_MANAGED_PODS_%s" $name) "value" .) -}}
{{- end }}
{{- end }}
{{- end -}}

{{- define "svc.operator.env" -}}
{{- $full := include "svc.fullname" . -}}
{{- include "svc.env" (dict "name" "SVC_PLATFORM_DATABASE" "value" "main") -}}
{{- include "svc.env" (dict "name" "SVC_DATABASES_MAIN_JDBC_URL" "value" (include "svc.jdbcUrl" .)) -}}
{{- if eq .Values.database.mode "cnpg" }}
{{- include "svc.env.secret" (dict "name" "SVC_DATABASES_MAIN_USERNAME" "secret" (include "svc.databaseSecret" .) "key" "username") -}}
{{- else }}
{{- include "svc.env" (dict "name" "SVC_DATABASES_MAIN_USERNAME" "value" .Values.database.username) -}}
{{- end }}
{{- include "svc.env" (dict "name" "SVC_DATABASES_MAIN_PASSWORD_FILE" "value" "/etc/svc/database/password") -}}
{{- include "svc.env" (dict "name" "SVC_DATABASES_MAIN_POOL_MAX" "value" .Values.database.poolMax) -}}
{{- include "svc.env" (dict "name" "SVC_DATA_URL" "value" (include "svc.dataUrl" .)) -}}
{{- include "svc.env" (dict "name" "SVC_INSTALLATION_MASTER_KEY_SECRET" "value" (include "svc.masterKeySecret" .)) -}}
{{- include "svc.env" (dict "name" "SVC_INSTALLATION_MAKE_MASTER_KEY" "value" (empty .Values.secrets.masterKey.existingSecret)) -}}
{{- include "svc.env" (dict "name" "SVC_INSTALLATION_CONTROL_PLANE_SECRET" "value" (printf "%s-control-plane-roots" $full)) -}}
{{- include "svc.env" (dict "name" "SVC_INSTALLATION_DATA_PLANE_SECRET" "value" (printf "%s-data-plane-roots" $full)) -}}
{{- if not .Values.secrets.adminToken.existingSecret }}
{{- include "svc.env" (dict "name" "SVC_INSTALLATION_ADMIN_TOKEN_SECRET" "value" (include "svc.adminTokenSecret" .)) -}}
{{- end }}
{{- include "svc.env" (dict "name" "SVC_INSTALLATION_NAMESPACE" "value" .Release.Namespace) -}}
{{- include "svc.env" (dict "name" "SVC_RUNTIME_GATEWAY_NAMESPACE" "value" .Release.Namespace) -}}
{{- with .Values.functions.gatewayUrl }}
{{- include "svc.env" (dict "name" "SVC_RUNTIME_GATEWAY_URL" "value" .) -}}
{{- end }}
{{- with .Values.platform.closedNetworks }}
{{- include "svc.env" (dict "name" "SVC_RUNTIME_CLOSED_NETWORKS" "value" (join "," .)) -}}
{{- end }}
{{- include "svc.projectServers.env" . -}}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_FUNCTION_IMAGE" "value" (include "svc.image" (dict "root" . "image" .Values.functions.image))) -}}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_REALTIME_IMAGE" "value" (include "svc.image" (dict "root" . "image" .Values.dataPlane.image))) -}}
{{- include "svc.managedPods.env" . -}}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_LEADER_ELECTION_ENABLED" "value" "true") -}}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_LEADER_ELECTION_LEASE_NAME" "value" (printf "%s-operator" $full)) -}}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_LEADER_ELECTION_LEASE_NAMESPACE" "value" .Release.Namespace) -}}
{{- include "svc.env" (dict "name" "SVC_LOGS_RETENTION_DAYS" "value" .Values.logs.retentionDays) -}}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_DRIFT_INTERVAL" "value" .Values.reconcile.driftInterval) -}}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_CONCURRENCY" "value" .Values.reconcile.concurrency) -}}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_TERMINATION_TIMEOUT" "value" (printf "%ds" (max 1 (sub (sub (int .Values.operator.terminationGracePeriodSeconds) (int .Values.operator.preStopSleepSeconds)) 10)))) -}}
{{- with include "svc.watched" . }}
{{- include "svc.env" (dict "name" "SVC_OPERATOR_WATCH_NAMESPACES" "value" .) -}}
{{- end }}
{{- end -}}

{{/* The environment of both planes. Of: root, key, component, role. */}}
{{- define "svc.api.env" -}}
{{- $root := .root -}}
{{- $values := index .root.Values .key -}}
{{- with .root -}}
{{- include "svc.env" (dict "name" "SVC_API_ROLES" "value" $.role) -}}
{{- include "svc.env.secret" (dict "name" "SVC_API_KEYS_ROOTS" "secret" (printf "%s-%s-roots" (include "svc.fullname" .) $.component) "key" "roots") -}}
{{- include "svc.env" (dict "name" "SVC_API_HOSTS_DATA" "value" .Values.platform.dataHost) -}}
{{- include "svc.env" (dict "name" "SVC_LOGS_ENABLED" "value" .Values.logs.enabled) -}}
{{- include "svc.env" (dict "name" "SVC_LOGS_REQUESTS" "value" .Values.logs.requests) -}}
{{- include "svc.env" (dict "name" "SVC_API_HOSTS_BASE_URL" "value" (include "svc.apiUrl" .)) -}}
{{- include "svc.env" (dict "name" "SVC_API_PROJECTS_NAMESPACE" "value" (include "svc.projectNamespace" .)) -}}
{{- with include "svc.watched" . }}
{{- include "svc.env" (dict "name" "SVC_API_PROJECTS_WATCH" "value" .) -}}
{{- end }}
{{- with .Values.platform.trustedProxies }}
{{- include "svc.env" (dict "name" "SVC_API_PROXIES_TRUSTED" "value" (join "," .)) -}}
{{- end }}
{{- with .Values.platform.closedNetworks }}
{{- include "svc.env" (dict "name" "SVC_API_EGRESS_CLOSED" "value" (join "," .)) -}}
{{- end }}
{{- include "svc.projectServers.env" . -}}
{{- include "svc.env" (dict "name" "QUARKUS_REDIS_HOSTS" "value" (printf "%s://%s:%d/%d" (ternary "rediss" "redis" .Values.redis.tls) .Values.redis.host (int .Values.redis.port) (int .Values.redis.database))) -}}
{{- with .Values.redis.existingSecret }}
{{- include "svc.env.secret" (dict "name" "QUARKUS_REDIS_PASSWORD" "secret" . "key" $root.Values.redis.passwordKey) -}}
{{- end }}
{{- if .Values.s3.bucket }}
{{- include "svc.env" (dict "name" "SVC_API_S3_BUCKET" "value" .Values.s3.bucket) -}}
{{- include "svc.env" (dict "name" "SVC_API_S3_REGION" "value" .Values.s3.region) -}}
{{- include "svc.env" (dict "name" "SVC_API_S3_PATH_STYLE" "value" .Values.s3.pathStyle) -}}
{{- with .Values.s3.endpoint }}
{{- include "svc.env" (dict "name" "SVC_API_S3_ENDPOINT" "value" .) -}}
{{- end }}
{{- if eq .Values.s3.credentials "keys" }}
{{- include "svc.env.secret" (dict "name" "SVC_API_S3_ACCESS_KEY" "secret" .Values.s3.existingSecret "key" .Values.s3.accessKeyKey) -}}
{{- include "svc.env.secret" (dict "name" "SVC_API_S3_SECRET_KEY" "secret" .Values.s3.existingSecret "key" .Values.s3.secretKeyKey) -}}
{{- end }}
{{- if .Values.s3.caSecret }}
{{- include "svc.env" (dict "name" "SVC_API_S3_CA_FILE" "value" "/etc/svc/s3/ca.crt") -}}
{{- end }}
{{- end }}
{{- with $values.preStopSleepSeconds }}
{{- include "svc.env" (dict "name" "QUARKUS_SHUTDOWN_DELAY" "value" (printf "%ds" (int .))) -}}
{{- end }}
{{- include "svc.env" (dict "name" "QUARKUS_SHUTDOWN_TIMEOUT" "value" (printf "%ds" (max 1 (sub (sub (int $values.terminationGracePeriodSeconds) (mul 2 (int $values.preStopSleepSeconds))) 10)))) -}}
{{- end }}
{{- end -}}

{{- define "svc.control-plane.env" -}}
{{- $inside := printf "%s-control-plane" (include "svc.fullname" .) -}}
{{- include "svc.api.env" (dict "root" . "key" "controlPlane" "component" "control-plane" "role" "control") -}}
{{- include "svc.env" (dict "name" "SVC_API_HOSTS_CONTROL" "value" (printf "%s,%s.%s.svc" .Values.platform.apiHost $inside .Release.Namespace)) -}}
{{- include "svc.env" (dict "name" "SVC_API_PLATFORM_URL" "value" (include "svc.jdbcUrl" .)) -}}
{{- include "svc.env.secret" (dict "name" "SVC_API_TOKENS_ADMIN" "secret" (include "svc.adminTokenSecret" .) "key" .Values.secrets.adminToken.key) -}}
{{- if .Values.postgresEndpoint.enabled }}
{{- include "svc.env" (dict "name" "SVC_API_POSTGRES_PORT" "value" 5432) -}}
{{- include "svc.env" (dict "name" "SVC_API_POSTGRES_HOST" "value" "0.0.0.0") -}}
{{- include "svc.env" (dict "name" "SVC_API_POSTGRES_CERTIFICATE" "value" "/etc/svc/postgres/tls.crt") -}}
{{- include "svc.env" (dict "name" "SVC_API_POSTGRES_KEY" "value" "/etc/svc/postgres/tls.key") -}}
{{- include "svc.env" (dict "name" "SVC_API_POSTGRES_PUBLIC_HOST" "value" .Values.postgresEndpoint.publicHost) -}}
{{- include "svc.env" (dict "name" "SVC_API_POSTGRES_PUBLIC_PORT" "value" .Values.postgresEndpoint.service.port) -}}
{{- end }}
{{- with .Values.logs.otlpEndpoint }}
{{- include "svc.env" (dict "name" "SVC_LOGS_OTLP_ENDPOINT" "value" .) -}}
{{- end }}
{{- with .Values.functions.importHosts }}
{{- include "svc.env" (dict "name" "SVC_API_FUNCTIONS_IMPORT_HOSTS" "value" (join "," .)) -}}
{{- end }}
{{- with .Values.functions.npmRegistry }}
{{- include "svc.env" (dict "name" "SVC_API_FUNCTIONS_NPM_REGISTRY" "value" .) -}}
{{- end }}
{{- with .Values.functions.jsrRegistry }}
{{- include "svc.env" (dict "name" "SVC_API_FUNCTIONS_JSR_REGISTRY" "value" .) -}}
{{- end }}
{{- include "svc.env" (dict "name" "SVC_API_FUNCTIONS_PRIVATE_REGISTRIES" "value" .Values.functions.privateRegistries) -}}
{{- end -}}

{{- define "svc.data-plane.env" -}}
{{- include "svc.api.env" (dict "root" . "key" "dataPlane" "component" "data-plane" "role" "data") -}}
{{- include "svc.env" (dict "name" "SVC_STORAGE_IMAGES_WORKERS" "value" .Values.storage.images.workers) -}}
{{- include "svc.env" (dict "name" "SVC_STORAGE_IMAGES_SPARE" "value" .Values.storage.images.spare) -}}
{{- include "svc.env" (dict "name" "SVC_STORAGE_IMAGES_RATE" "value" .Values.storage.images.rate) -}}
{{- include "svc.env" (dict "name" "SVC_REALTIME_IDLE" "value" (printf "%ds" (int .Values.realtime.idleSeconds))) -}}
{{- include "svc.env" (dict "name" "SVC_REALTIME_MAX_MESSAGE" "value" .Values.realtime.maxMessage) -}}
{{- include "svc.env" (dict "name" "SVC_REALTIME_SEND_QUEUE" "value" .Values.realtime.sendQueue) -}}
{{- include "svc.env" (dict "name" "SVC_REALTIME_DRAIN" "value" (printf "%ds" (int .Values.realtime.drainSeconds))) -}}
{{- include "svc.env" (dict "name" "SVC_REALTIME_RETENTION" "value" (printf "%dh" (int .Values.realtime.retentionHours))) -}}
{{- include "svc.env" (dict "name" "SVC_REALTIME_CHANGES_MEMORY" "value" .Values.realtime.changes.memory) -}}
{{- include "svc.env" (dict "name" "SVC_REALTIME_CHANGES_CHECKS_PER_PROJECT" "value" .Values.realtime.changes.checksPerProject) -}}
{{- include "svc.env" (dict "name" "SVC_REALTIME_CHANGES_LINGER" "value" (printf "%dm" (int .Values.realtime.changes.lingerMinutes))) -}}
{{- with .Values.realtime.changes.maxLag }}
{{- include "svc.env" (dict "name" "SVC_REALTIME_CHANGES_MAX_LAG" "value" .) -}}
{{- end }}
{{- if .Values.mail.host }}
{{- include "svc.env" (dict "name" "SVC_MAIL_HOST" "value" .Values.mail.host) -}}
{{- include "svc.env" (dict "name" "SVC_MAIL_PORT" "value" .Values.mail.port) -}}
{{- include "svc.env" (dict "name" "SVC_MAIL_SECURITY" "value" .Values.mail.security) -}}
{{- include "svc.env" (dict "name" "SVC_MAIL_FROM" "value" .Values.mail.from) -}}
{{- with .Values.mail.senderName }}
{{- include "svc.env" (dict "name" "SVC_MAIL_SENDER_NAME" "value" .) -}}
{{- end }}
{{- with .Values.mail.username }}
{{- include "svc.env" (dict "name" "SVC_MAIL_USERNAME" "value" .) -}}
{{- include "svc.env.secret" (dict "name" "SVC_MAIL_PASSWORD" "secret" $.Values.mail.existingSecret "key" $.Values.mail.passwordKey) -}}
{{- end }}
{{- end }}
{{- end -}}

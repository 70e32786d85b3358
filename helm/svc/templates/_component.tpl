{{/*
The objects of one component. Each template takes what "svc.component.of" gives:
root, key (in values), component (in labels), name, values, port.
*/}}

{{- define "svc.component.workload" -}}
{{- $c := . -}}
{{- if .values.serviceAccount.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" (include "svc.account" .) "namespace" .root.Release.Namespace "component" .component "annotations" .values.serviceAccount.annotations) | nindent 2 }}
automountServiceAccountToken: false
---
{{- end }}
apiVersion: v1
kind: Service
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .root.Release.Namespace "component" .component "annotations" .values.service.annotations) | nindent 2 }}
spec:
  type: {{ .values.service.type }}
  selector:
    {{- include "svc.selector" . | nindent 4 }}
  ports:
    - name: http
      port: {{ include "svc.number" .values.service.port }}
      targetPort: http
      protocol: TCP
---
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- $annotations := dict }}
  {{- if include "svc.component.keepsReplicas" . }}{{ $_ := set $annotations "svc.platform/replicas" "kept" }}{{ end }}
  {{- with include "svc.component.reloaded" . }}{{ $_ := set $annotations "secret.reloader.stakater.com/reload" . }}{{ end }}
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .root.Release.Namespace "component" .component "annotations" $annotations) | nindent 2 }}
spec:
  {{- with include "svc.component.replicas" . }}
  replicas: {{ . }}
  {{- end }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- include "svc.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      # Without versions: pods are replaced when they change, not when the chart does.
      labels:
        {{- include "svc.merged" (list (dict "app.kubernetes.io/part-of" "svc") .root.Values.global.commonLabels .values.podLabels (include "svc.selector" . | fromYaml)) | nindent 8 }}
      {{- with include "svc.merged" (list .root.Values.global.commonAnnotations .values.podAnnotations) }}
      annotations:
        {{- . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "svc.account" . }}
      automountServiceAccountToken: true
      # Without it, Services whose names begin with svc would be taken for settings.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ include "svc.number" .values.terminationGracePeriodSeconds }}
      {{- with .root.Values.global.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      securityContext:
        {{- toYaml .values.podSecurityContext | nindent 8 }}
      {{- with .values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- if .values.topologySpreadConstraints }}
        {{- toYaml .values.topologySpreadConstraints | nindent 8 }}
        {{- else }}
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - topologyKey: {{ . }}
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          matchLabelKeys: [pod-template-hash]
          labelSelector:
            matchLabels:
              {{- include "svc.selector" $c | nindent 14 }}
        {{- end }}
        {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "svc.image" (dict "root" .root "image" .values.image) }}
          imagePullPolicy: {{ .values.image.pullPolicy }}
          # The pod's status has the last lines of a process that ended: the reason is seen without its log.
          terminationMessagePolicy: FallbackToLogsOnError
          ports:
            - name: http
              containerPort: 8080
              protocol: TCP
            {{- if include "svc.component.servesPostgres" . }}
            - name: postgres
              containerPort: 5432
              protocol: TCP
            {{- end }}
          env:
            {{- include "svc.component.env" . | nindent 12 }}
          {{- if .values.preStopSleepSeconds }}
          lifecycle:
            preStop:
              sleep:
                seconds: {{ include "svc.number" .values.preStopSleepSeconds }}
          {{- end }}
          startupProbe:
            httpGet: {path: /q/health/started, port: http}
            {{- toYaml .values.startupProbe | nindent 12 }}
            timeoutSeconds: 3
          readinessProbe:
            httpGet: {path: /q/health/ready, port: http}
            {{- toYaml .values.readinessProbe | nindent 12 }}
            timeoutSeconds: 3
          livenessProbe:
            httpGet: {path: /q/health/live, port: http}
            {{- toYaml .values.livenessProbe | nindent 12 }}
            timeoutSeconds: 3
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          securityContext:
            {{- toYaml .values.containerSecurityContext | nindent 12 }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
            {{- if eq .component "operator" }}
            - name: database
              mountPath: /etc/svc/database
              readOnly: true
            {{- end }}
            {{- if and (ne .component "operator") .root.Values.s3.bucket .root.Values.s3.caSecret }}
            - name: s3-ca
              mountPath: /etc/svc/s3
              readOnly: true
            {{- end }}
            {{- if include "svc.component.servesPostgres" . }}
            - name: postgres-tls
              mountPath: /etc/svc/postgres
              readOnly: true
            {{- end }}
            {{- with .values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: {sizeLimit: 512Mi}
        {{- if eq .component "operator" }}
        - name: database
          secret:
            secretName: {{ include "svc.databaseSecret" .root }}
            items:
              - {key: {{ .root.Values.database.passwordKey }}, path: password}
        {{- end }}
        {{- if and (ne .component "operator") .root.Values.s3.bucket .root.Values.s3.caSecret }}
        - name: s3-ca
          secret:
            secretName: {{ .root.Values.s3.caSecret }}
            items:
              - {key: {{ .root.Values.s3.caKey }}, path: ca.crt}
        {{- end }}
        {{- if include "svc.component.servesPostgres" . }}
        - name: postgres-tls
          secret:
            secretName: {{ .root.Values.postgresEndpoint.tlsSecret }}
        {{- end }}
        {{- with .values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- if and .values.pdb.enabled (or .values.autoscaling.enabled (gt (int .values.replicaCount) 1)) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .root.Release.Namespace "component" .component) | nindent 2 }}
spec:
  {{- if not (has .values.pdb.minAvailable (list nil "")) }}
  minAvailable: {{ include "svc.number" .values.pdb.minAvailable }}
  {{- else }}
  maxUnavailable: {{ include "svc.number" .values.pdb.maxUnavailable }}
  {{- end }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "svc.selector" . | nindent 6 }}
{{- end }}
{{- if .values.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .root.Release.Namespace "component" .component) | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ .name }}
  minReplicas: {{ include "svc.number" .values.autoscaling.min }}
  maxReplicas: {{ include "svc.number" .values.autoscaling.max }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ include "svc.number" .values.autoscaling.targetCPU }}
{{- end }}
{{- if .values.networkPolicy.enabled }}
{{- include "svc.networkPolicy" . }}
{{- end }}
{{- if .root.Values.metrics.serviceMonitor.enabled }}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .root.Release.Namespace "component" .component "labels" .root.Values.metrics.serviceMonitor.labels) | nindent 2 }}
spec:
  selector:
    matchLabels:
      {{- include "svc.selector" . | nindent 6 }}
  namespaceSelector:
    matchNames: [{{ .root.Release.Namespace }}]
  endpoints:
    - port: http
      path: /q/metrics
      interval: {{ .root.Values.metrics.serviceMonitor.interval }}
{{- end }}
{{- end -}}

{{/*
The number of pods in the Deployment; empty: the autoscaler's alone. Helm resets to 1 what one release names and the next does
not. So from the release on that switches autoscaling on, the Deployment keeps the number that it has in the cluster, and says
so in an annotation. "helm template" knows no cluster.
*/}}
{{- define "svc.component.replicas" -}}
{{- if not .values.autoscaling.enabled -}}
{{- include "svc.number" .values.replicaCount -}}
{{- else if include "svc.component.keepsReplicas" . -}}
{{- (lookup "apps/v1" "Deployment" .root.Release.Namespace .name).spec.replicas | int64 -}}
{{- end -}}
{{- end -}}

{{- define "svc.component.keepsReplicas" -}}
{{- if and .values.autoscaling.enabled .root.Release.IsUpgrade -}}
{{- with lookup "apps/v1" "Deployment" .root.Release.Namespace .name -}}
{{- $scaled := lookup "autoscaling/v2" "HorizontalPodAutoscaler" $.root.Release.Namespace $.name -}}
{{- if or (not $scaled) (dig "annotations" "svc.platform/replicas" "" .metadata) -}}
true
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether its pods serve the PostgreSQL endpoint: "true", or nothing. */}}
{{- define "svc.component.servesPostgres" -}}
{{- if and (eq .component "control-plane") .root.Values.postgresEndpoint.enabled }}true{{ end -}}
{{- end -}}

{{/*
The Secrets that pods of the component read at their start alone, for Reloader. The operator reads its password for each new
connection, from a file.
*/}}
{{- define "svc.component.reloaded" -}}
{{- if .root.Values.secrets.reloader -}}
{{- $names := list -}}
{{- range include "svc.component.env" . | fromYamlArray -}}
{{- with dig "valueFrom" "secretKeyRef" "name" "" . }}{{ $names = append $names . }}{{ end -}}
{{- end -}}
{{- if and (ne .component "operator") .root.Values.s3.bucket .root.Values.s3.caSecret }}{{ $names = append $names .root.Values.s3.caSecret }}{{ end -}}
{{- $names | uniq | sortAlpha | join "," -}}
{{- end -}}
{{- end -}}

{{/* The environment of the container. A variable of extraEnv replaces the chart's of that name: Kubernetes' server-side apply refuses a name twice. */}}
{{- define "svc.component.env" -}}
{{- $extra := .values.extraEnv | default list -}}
{{- $names := list -}}
{{- range $extra }}{{ $names = append $names .name }}{{ end -}}
{{- $env := list -}}
{{- range include "svc.component.ownEnv" . | fromYamlArray -}}
{{- if not (has .name $names) }}{{ $env = append $env . }}{{ end -}}
{{- end -}}
{{- toYaml (concat $env $extra) -}}
{{- end -}}

{{- define "svc.component.ownEnv" -}}
- name: JDK_JAVA_OPTIONS
  # Never without the first: a process that goes on without memory answers nothing and is not restarted.
  value: {{ printf "-XX:+ExitOnOutOfMemoryError %s" (.values.javaOptions | default "") | trim | quote }}
- name: QUARKUS_LOG_LEVEL
  value: {{ .root.Values.platform.logLevel }}
{{ include (printf "svc.%s.env" .component) .root }}
{{- end -}}

{{/* Of: root, key, component. */}}
{{- define "svc.component" -}}
{{- $name := printf "%s-%s" (include "svc.fullname" .root) .component -}}
{{- include "svc.component.workload" (dict "root" .root "key" .key "component" .component "name" $name "values" (index .root.Values .key)) -}}
{{- end -}}

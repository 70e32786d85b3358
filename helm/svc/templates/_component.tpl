{{/*
The objects of one component. Each template takes what "svc.component.of" gives:
root, key (in values), component (in labels), name, values, port.
*/}}

{{- define "svc.component.workload" -}}
{{- $c := . -}}
{{- include "svc.checks" .root -}}
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
      port: {{ .values.service.port }}
      targetPort: http
      protocol: TCP
---
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .root.Release.Namespace "component" .component) | nindent 2 }}
spec:
  {{- if not .values.autoscaling.enabled }}
  replicas: {{ .values.replicaCount }}
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
        {{- include "svc.selector" . | nindent 8 }}
        app.kubernetes.io/part-of: svc
        {{- with .root.Values.global.commonLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- with .values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with merge (dict) .values.podAnnotations .root.Values.global.commonAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "svc.account" . }}
      automountServiceAccountToken: true
      # Without it, Services whose names begin with svc would be taken for settings.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
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
          env:
            - name: JDK_JAVA_OPTIONS
              # Never without the first: a process that goes on without memory answers nothing and is not restarted.
              value: {{ printf "-XX:+ExitOnOutOfMemoryError %s" .values.javaOptions | trim | quote }}
            - name: QUARKUS_LOG_LEVEL
              value: {{ .root.Values.platform.logLevel }}
            {{- include (printf "svc.%s.env" .component) .root | nindent 12 }}
            {{- with .values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- if .values.preStopSleepSeconds }}
          lifecycle:
            preStop:
              sleep:
                seconds: {{ .values.preStopSleepSeconds }}
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
  {{- if ne (toString .values.pdb.minAvailable) "" }}
  minAvailable: {{ .values.pdb.minAvailable }}
  {{- else }}
  maxUnavailable: {{ .values.pdb.maxUnavailable }}
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
  minReplicas: {{ .values.autoscaling.min }}
  maxReplicas: {{ .values.autoscaling.max }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .values.autoscaling.targetCPU }}
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

{{/* Of: root, key, component. */}}
{{- define "svc.component" -}}
{{- $name := printf "%s-%s" (include "svc.fullname" .root) .component -}}
{{- include "svc.component.workload" (dict "root" .root "key" .key "component" .component "name" $name "values" (index .root.Values .key)) -}}
{{- end -}}

{{/* The paths that the control plane serves on the API's host, exactly or with all below. Never /q: probes and metrics. */}}
{{- define "svc.apiPaths" -}}
- {path: /, exact: true}
- {path: /.well-known/oauth-authorization-server, exact: false}
- {path: /.well-known/oauth-protected-resource, exact: false}
- {path: /api, exact: false}
- {path: /llms.txt, exact: true}
- {path: /status, exact: true}
- {path: /v1, exact: false}
{{- end -}}

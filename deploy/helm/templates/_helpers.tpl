{{- define "gateway.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- $name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Numeric, because a kubelet cannot tell whether a named user is root. It is the user node of the image. */}}
{{- define "gateway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "gateway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "gateway.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "gateway.secretName" -}}
{{ required "secretName is required" .Values.secretName }}
{{- end }}

{{/* The gateway's own defaults, where the configuration has none; in whole seconds. */}}
{{- define "gateway.graceSeconds" -}}
{{- $server := .Values.config.server | default dict -}}
{{- $delay := $server.drainDelayMs | default 0 | int64 -}}
{{- $drain := $server.drainMs | default 15000 | int64 -}}
{{ add (div (add $delay $drain 999) 1000) 15 }}
{{- end }}

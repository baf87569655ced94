{{- define "wordyard.labels" -}}
app.kubernetes.io/name: wordyard
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "wordyard.allLabels" -}}
{{ include "wordyard.labels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "wordyard.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* What every pod of ours is held to: no root, nothing to write but /tmp, no rights at the cluster. */}}
{{- define "wordyard.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "wordyard.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end }}

{{- /* The one folder that every pod of ours may write to, and the authorities that it trusts. */}}
{{- define "wordyard.mounts" -}}
- {name: tmp, mountPath: /tmp}
{{- range $name := list "nats" "postgres" }}
{{- if (get $.Values $name).caSecret }}
- {name: {{ $name }}-ca, mountPath: /etc/wordyard/{{ $name }}, readOnly: true}
{{- end }}
{{- end }}
{{- end }}

{{- define "wordyard.volumes" -}}
- name: tmp
  emptyDir: {sizeLimit: 64Mi}
{{- range $name := list "nats" "postgres" }}
{{- with (get $.Values $name).caSecret }}
- name: {{ $name }}-ca
  secret:
    secretName: {{ . }}
    items: [{key: ca.crt, path: ca.crt}]
{{- end }}
{{- end }}
{{- end }}

{{- /* One variable of ours. */}}
{{- define "wordyard.plain" -}}
- name: WORDYARD_{{ .name }}
  value: {{ .value | toString | quote }}
{{- end }}

{{- /* One that stands in the Secret. */}}
{{- define "wordyard.secret" -}}
- name: WORDYARD_{{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secrets.name }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}

{{- /* What one service is told, and no more: of the keys it sees its own alone. */}}
{{- define "wordyard.environment" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $user := .user -}}
{{- $plain := dict
  "NATS_URL" $values.nats.url
  "NATS_USER" $user
  "LOG_REPLICAS" $values.nats.replicas
  "CREATE_STREAMS" false
  "OPS_HOST" "0.0.0.0"
  "OPS_PORT" 9100
  "LOG_LEVEL" $values.logLevel
  "OTLP_ENDPOINT" $values.otlpEndpoint
  "TRACE_SHARE" $values.traceShare
-}}
{{- if $values.nats.caSecret -}}
{{- $plain = merge $plain (dict "NATS_CA" "/etc/wordyard/nats/ca.crt") -}}
{{- end -}}
{{- $secret := dict "POSTGRES_URL" "postgres-url" "NATS_PASSWORD" (printf "nats-%s-password" $user) -}}
{{- $optional := dict -}}
{{- if eq $user "api" -}}
{{- $plain = merge $plain (dict
  "HOST" "0.0.0.0"
  "PORT" 8080
  "PUBLIC_URL" $values.publicUrl
  "SECURE_COOKIES" true
  "TRUSTED_PROXIES" $values.trustedProxies
  "DRAIN_SECONDS" $values.drainSeconds
  "OPERATORS" $values.operators
  "OIDC_ISSUER" $values.oidc.issuer
  "OIDC_CLIENT_ID" $values.oidc.clientId
  "OIDC_NAME" $values.oidc.name
) -}}
{{- $secret = merge $secret (dict "SECRET_KEY" "secret-key") -}}
{{- $optional = dict "PUSH_KEY" "push-key" "OIDC_CLIENT_SECRET" "oidc-client-secret" -}}
{{- else if eq $user "game" -}}
{{- $plain = merge $plain (dict "ARCHIVE_AFTER" $values.archiveAfter) -}}
{{- $secret = merge $secret (dict "DAILY_KEY" "daily-key") -}}
{{- else if eq $user "worker" -}}
{{- $plain = merge $plain (dict "PUBLIC_URL" $values.publicUrl "MAIL_FROM" $values.mailFrom) -}}
{{- $optional = dict "PUSH_KEY" "push-key" "SMTP_URL" "smtp-url" -}}
{{- end -}}
{{- $plain = merge (deepCopy (.settings | default dict)) $plain -}}
{{- range $name, $value := $plain }}
{{ include "wordyard.plain" (dict "name" $name "value" $value) }}
{{- end }}
{{- range $name, $key := $secret }}
{{ include "wordyard.secret" (dict "root" $root "name" $name "key" $key) }}
{{- end }}
{{- range $name, $key := $optional }}
{{ include "wordyard.secret" (dict "root" $root "name" $name "key" $key "optional" true) }}
{{- end }}
{{- end }}

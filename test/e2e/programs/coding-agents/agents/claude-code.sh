# Claude Code. Its variables: https://code.claude.com/docs/en/env-vars
mkdir -p "$HOME_X/.claude"
echo '{ "hasCompletedOnboarding": true, "autoUpdates": false }' >"$HOME_X/.claude.json"
hooks_install
agent ANTHROPIC_BASE_URL=$MODEL_URL ANTHROPIC_API_KEY=sk-ant-fake \
  DISABLE_AUTOUPDATER=1 DISABLE_ERROR_REPORTING=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
  CLAUDE_CODE_ENABLE_TELEMETRY=1 CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1 OTEL_LOG_USER_PROMPTS=1 OTEL_LOG_TOOL_DETAILS=1 \
  OTEL_LOGS_EXPORTER=otlp OTEL_METRICS_EXPORTER=otlp OTEL_TRACES_EXPORTER=otlp \
  OTEL_EXPORTER_OTLP_PROTOCOL=http/json OTEL_EXPORTER_OTLP_ENDPOINT=$MODEL_URL \
  OTEL_LOGS_EXPORT_INTERVAL=1000 OTEL_METRIC_EXPORT_INTERVAL=5000 \
  "$BIN/@anthropic-ai/claude-code-linux-x64/claude" -p "$PROMPT" --model claude-sonnet-4-5-20250929 \
  --allowedTools 'Read Edit Bash' --output-format text
transcripts "$HOME_X"/.claude/projects/*/*.jsonl

# Codex. The last flag stands for the user who trusts the hooks; without it none of them runs.
mkdir -p "$HOME_X/.codex"
cat >"$HOME_X/.codex/config.toml" <<TOML
model = "${CODEX_MODEL:-gpt-5.5}"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "$MODEL_URL/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"

[otel]
log_user_prompt = true
metrics_exporter = "none"
exporter = { otlp-http = { endpoint = "$MODEL_URL/v1/logs", protocol = "json" } }
trace_exporter = { otlp-http = { endpoint = "$MODEL_URL/v1/traces", protocol = "json" } }

[projects."$WORK"]
trust_level = "trusted"
TOML
hooks_install
agent OPENAI_API_KEY=sk-fake "$BIN/@openai/codex/bin/codex.js" exec \
  --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust "$PROMPT"
transcripts "$HOME_X"/.codex/sessions/*/*/*/*.jsonl

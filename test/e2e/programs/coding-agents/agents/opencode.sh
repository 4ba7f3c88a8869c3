# OpenCode. It has no transcript file: its own export is one.
mkdir -p "$HOME_X/.config/opencode"
cat >"$HOME_X/.config/opencode/opencode.json" <<JSON
{
  "autoupdate": false,
  "share": "disabled",
  "model": "scripted/gpt-5.1",
  "small_model": "scripted/gpt-5.1",
  "experimental": { "openTelemetry": true },
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "scripted",
      "options": { "baseURL": "$MODEL_URL/v1", "apiKey": "sk-fake" },
      "models": {
        "gpt-5.1": {
          "name": "gpt-5.1",
          "tool_call": true,
          "limit": { "context": 200000, "output": 8000 },
          "cost": { "input": 1.25, "output": 10, "cache_read": 0.125 }
        }
      }
    }
  }
}
JSON
OPENCODE="$BIN/opencode-linux-x64/bin/opencode"
OFFLINE="OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1 OPENCODE_DISABLE_DEFAULT_PLUGINS=1"
hooks_install
agent $OFFLINE OTEL_EXPORTER_OTLP_ENDPOINT=$MODEL_URL OTEL_EXPORTER_OTLP_PROTOCOL=http/json \
  "$OPENCODE" run --model scripted/gpt-5.1 "$PROMPT"
ask() { (cd "$WORK" && timeout 25 env -i PATH="$NODE:/usr/bin:/bin" HOME="$HOME_X" $OFFLINE "$OPENCODE" "$@" </dev/null 2>>"$OUT/export.err"); }
ask export "$(ask session list | grep -o 'ses_[A-Za-z0-9]*' | head -1)" >"$OUT/transcript/export.json"

# Gemini CLI.
mkdir -p "$HOME_X/.gemini"
cat >"$HOME_X/.gemini/settings.json" <<JSON
{
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
  "privacy": { "usageStatisticsEnabled": false },
  "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
  "telemetry": {
    "enabled": true,
    "target": "local",
    "otlpEndpoint": "$MODEL_URL",
    "otlpProtocol": "http",
    "logPrompts": true,
    "traces": true
  }
}
JSON
hooks_install
agent GEMINI_API_KEY=fake GOOGLE_GEMINI_BASE_URL=$MODEL_URL GEMINI_CLI_TRUST_WORKSPACE=true \
  "$BIN/@google/gemini-cli/bundle/gemini.js" -m gemini-2.5-pro --yolo -p "$PROMPT"
transcripts "$HOME_X"/.gemini/tmp/*/chats/*

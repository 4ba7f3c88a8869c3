# Qwen Code.
mkdir -p "$HOME_X/.qwen"
cat >"$HOME_X/.qwen/settings.json" <<JSON
{
  "general": { "enableAutoUpdate": false, "disableAutoUpdate": true },
  "privacy": { "usageStatisticsEnabled": false },
  "security": { "auth": { "selectedType": "openai" }, "folderTrust": { "enabled": false } },
  "telemetry": { "enabled": true, "target": "local", "otlpEndpoint": "$MODEL_URL", "otlpProtocol": "http", "logPrompts": true }
}
JSON
hooks_install
agent OPENAI_API_KEY=sk-fake OPENAI_BASE_URL=$MODEL_URL/v1 OPENAI_MODEL=qwen3-coder-plus \
  "$NODE/node" "$BIN/@qwen-code/qwen-code/cli.js" --yolo -p "$PROMPT"
transcripts "$HOME_X"/.qwen/projects/*/chats/* "$HOME_X"/.qwen/tmp/*/chats/*

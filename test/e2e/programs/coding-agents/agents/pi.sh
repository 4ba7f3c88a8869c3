# Pi.
mkdir -p "$HOME_X/.pi/agent"
cat >"$HOME_X/.pi/agent/models.json" <<JSON
{
  "providers": {
    "scripted": {
      "baseUrl": "$MODEL_URL/v1",
      "api": "openai-completions",
      "apiKey": "sk-fake",
      "models": [
        {
          "id": "gpt-5.1",
          "name": "gpt-5.1",
          "reasoning": false,
          "input": ["text"],
          "contextWindow": 200000,
          "maxTokens": 8000,
          "cost": { "input": 1.25, "output": 10, "cacheRead": 0.125, "cacheWrite": 0 }
        }
      ]
    }
  }
}
JSON
hooks_install
agent PI_OFFLINE=1 PI_SKIP_VERSION_CHECK=1 \
  "$BIN/@mariozechner/pi-coding-agent/dist/cli.js" --provider scripted --model gpt-5.1 -p "$PROMPT"
transcripts "$HOME_X"/.pi/agent/sessions/*/*.jsonl

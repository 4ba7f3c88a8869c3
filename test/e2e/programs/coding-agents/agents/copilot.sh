# GitHub Copilot CLI with a model of one's own and without an account.
mkdir -p "$HOME_X/.copilot"
hooks_install
agent COPILOT_PROVIDER_BASE_URL=$MODEL_URL/v1 COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_API_KEY=sk-fake \
  COPILOT_PROVIDER_WIRE_API=completions COPILOT_MODEL=gpt-5.1 COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false \
  OTEL_EXPORTER_OTLP_ENDPOINT=$MODEL_URL OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true \
  "$BIN/@github/copilot-linux-x64/copilot" -p "$PROMPT" --allow-all-tools --no-color
transcripts "$HOME_X"/.copilot/session-state/*/events.jsonl

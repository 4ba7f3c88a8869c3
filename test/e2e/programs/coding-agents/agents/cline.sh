# Cline CLI.
CLINE="$BIN/@cline/cli-linux-x64/bin/cline"
QUIET="CLINE_NO_AUTO_UPDATE=1 CLINE_TELEMETRY_DISABLED=1"
mkdir -p "$HOME_X/.cline"
env -i PATH="$NODE:/usr/bin:/bin" HOME="$HOME_X" $QUIET "$CLINE" auth --provider openai --apikey sk-fake \
  --modelid gpt-5.1 --baseurl "$MODEL_URL/v1" >"$OUT/auth.txt" 2>&1 </dev/null
hooks_install
agent $QUIET "$CLINE" --yolo "$PROMPT"
transcripts $(find "$HOME_X/.cline" -path '*session*' -name '*.json')

# Codex with a model for which it offers one tool that runs JavaScript.
CODEX_MODEL=gpt-6-sol
. "$HERE/agents/codex.sh"

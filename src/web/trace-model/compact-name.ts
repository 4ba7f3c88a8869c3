/** Operations of the GenAI semantic conventions that begin a span name. The glyph of the kind shows the same. */
const OPERATION =
  /^(?:chat|text_completion|generate_content|embeddings|execute_tool|create_agent|invoke_agent|invoke_workflow) +(?=\S)/;

/** The name of a step without its operation: `execute_tool web_search` is `web_search`. */
export function compactName(name: string): string {
  return name.replace(OPERATION, '');
}

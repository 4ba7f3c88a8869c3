import { isJsonObject, type Json } from '../../core/json.ts';

/** A tool result as the agent's model receives it: the output of a shell, Gemini's text for the model, MCP's texts. */
export function resultText(result: Json): string {
  if (typeof result === 'string') return result;
  if (isJsonObject(result)) {
    const { stdout, stderr, llmContent, content } = result;
    if (typeof stdout === 'string') return [stdout, stderr].filter((text) => text !== '' && isText(text)).join('\n');
    if (typeof llmContent === 'string') return llmContent;
    if (Array.isArray(content)) return blocksText(content) ?? JSON.stringify(result);
  }
  return (Array.isArray(result) ? blocksText(result) : null) ?? JSON.stringify(result);
}

/** Null if a block is not text. */
function blocksText(blocks: readonly Json[]): string | null {
  const texts = blocks.map((block) => (isJsonObject(block) && isText(block.text) ? block.text : null));
  return blocks.length === 0 || texts.includes(null) ? null : texts.join('\n');
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

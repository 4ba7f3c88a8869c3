import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ToolDefinition } from '../../core/trace.ts';
import { asText, jsonOrText } from './attribute-values.ts';

/** Tools in one declaration text: JSON of one tool or a list, or a bare name. Unreadable ones are omitted. */
export function readToolDeclaration(text: string): ToolDefinition[] {
  const json = jsonOrText(text);
  const list = Array.isArray(json) ? json : [json];
  return list.map(readTool).filter((tool) => tool !== null);
}

function readTool(tool: Json): ToolDefinition | null {
  if (typeof tool === 'string') return tool === '' ? null : { name: tool, description: '', parameters: null };
  if (!isJsonObject(tool)) return null;
  const body = isJsonObject(tool.function) ? tool.function : isJsonObject(tool.toolSpec) ? tool.toolSpec : tool;
  const name = asText(body.name);
  return name === undefined ? null : { name, description: asText(body.description) ?? '', parameters: schemaOf(body) };
}

function schemaOf(body: JsonObject): Json {
  const schema =
    body.parameters ?? body.inputSchema ?? body.input_schema ?? body.parametersJsonSchema ?? body.args_schema ?? null;
  const json = typeof schema === 'string' ? jsonOrText(schema) : schema;
  return isJsonObject(json) && isJsonObject(json.json) ? json.json : json;
}

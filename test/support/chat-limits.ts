import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts';
import type { ReceivedPost, ScriptedResponse } from './webhook-receiver.ts';

/** Responds like Slack's incoming webhooks, by the published limits: 200 `ok`, otherwise 400 with a plain text. */
export function respondAsSlack({ json }: Pick<ReceivedPost, 'json'>): ScriptedResponse {
  const problem = slackProblem(json);
  return problem === null ? { status: 200, body: 'ok' } : { status: 400, body: `invalid_blocks: ${problem}` };
}

export function slackProblem(message: Json): string | null {
  if (!isJsonObject(message)) return 'no object';
  if (typeof message.text !== 'string' || message.text === '') return 'no_text';
  if (message.text.length > 40_000) return 'text over 40000';
  const blocks = message.blocks;
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) return 'blocks not 1 to 50';
  if (JSON.stringify(blocks).length > 13_000) return 'msg_blocks_too_long';
  return firstProblem(blocks.map((block) => blockProblem(block as JsonObject)));
}

function blockProblem(block: JsonObject): string | null {
  switch (block.type) {
    case 'header':
      return textProblem(block.text, 150, ['plain_text']);
    case 'section': {
      const fields = block.fields as Json[] | undefined;
      if (block.text === undefined && fields === undefined) return 'section without text and fields';
      if (fields !== undefined && (fields.length === 0 || fields.length > 10)) return 'fields not 1 to 10';
      const text = block.text === undefined ? null : textProblem(block.text, 3_000, ['mrkdwn', 'plain_text']);
      return text ?? firstProblem((fields ?? []).map((field) => textProblem(field, 2_000, ['mrkdwn', 'plain_text'])));
    }
    case 'context': {
      const elements = block.elements as Json[];
      if (elements.length === 0 || elements.length > 10) return 'elements not 1 to 10';
      return firstProblem(elements.map((element) => textProblem(element, 3_000, ['mrkdwn', 'plain_text'])));
    }
    default:
      return `unknown block ${String(block.type)}`;
  }
}

function textProblem(text: Json | undefined, limit: number, types: string[]): string | null {
  if (!isJsonObject(text) || !types.includes(String(text.type))) return 'no text object';
  if (typeof text.text !== 'string' || text.text === '') return 'empty text';
  return text.text.length > limit ? `text over ${limit}` : null;
}

/** Responds like Discord's webhooks with `wait`, by the published limits: 200, otherwise 400 with code 50035. */
export function respondAsDiscord({ json }: Pick<ReceivedPost, 'json'>): ScriptedResponse {
  const problem = discordProblem(json);
  if (problem === null) return { status: 200, body: { id: '1' } };
  return { status: 400, body: { code: 50035, message: `Invalid Form Body: ${problem}` } };
}

export function discordProblem(message: Json): string | null {
  if (!isJsonObject(message)) return 'no object';
  const embeds = (message.embeds ?? []) as JsonObject[];
  if (message.content === undefined && embeds.length === 0) return 'empty message';
  if (String(message.content ?? '').length > 2_000) return 'content over 2000';
  if (embeds.length > 10) return 'more than 10 embeds';
  if (embeds.reduce((sum, embed) => sum + embedSize(embed), 0) > 6_000) return 'embeds over 6000';
  return firstProblem(embeds.map(embedProblem));
}

function embedProblem(embed: JsonObject): string | null {
  const fields = (embed.fields ?? []) as JsonObject[];
  if (lengthOf(embed.title) > 256) return 'title over 256';
  if (lengthOf(embed.description) > 4_096) return 'description over 4096';
  if (lengthOf((embed.footer as JsonObject | undefined)?.text) > 2_048) return 'footer over 2048';
  if (fields.length > 25) return 'more than 25 fields';
  const bad = fields.find(
    ({ name, value }) => !lengthOf(name) || !lengthOf(value) || lengthOf(name) > 256 || lengthOf(value) > 1_024,
  );
  if (bad !== undefined) return 'a field is empty or too long';
  return typeof embed.color === 'number' && embed.color <= 0xffffff ? null : 'no color';
}

function embedSize({ title, description, footer, fields }: JsonObject): number {
  const ofFields = ((fields ?? []) as JsonObject[]).reduce(
    (sum, { name, value }) => sum + lengthOf(name) + lengthOf(value),
    0,
  );
  return lengthOf(title) + lengthOf(description) + lengthOf((footer as JsonObject | undefined)?.text) + ofFields;
}

function lengthOf(text: Json | undefined): number {
  return typeof text === 'string' ? text.length : 0;
}

function firstProblem(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}

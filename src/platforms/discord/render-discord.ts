import type { AlertContent, AlertGroup, AlertItem } from '../../core/alert.ts';
import {
  confidenceText,
  followUpText,
  kindOf,
  LINK_TEXT,
  linkOf,
  messageTitle,
  momentText,
  SEVERITY_NAMES,
  showCommand,
  TEST_TEXT,
} from '../../core/alert-text.ts';
import { escapeWithin, inertLine } from '../../core/plain-text.ts';
import type { Severity } from '../../core/severity.ts';

/** A message for Discord webhooks. */
export interface DiscordMessage {
  /** Disables pings, also for mentions in the text. */
  allowed_mentions: { parse: [] };
  embeds: Embed[];
}

export interface Embed {
  title: string;
  /** The URL that the title links to. */
  url?: string;
  description: string;
  color: number;
  fields: { name: string; value: string; inline: boolean }[];
  footer: { text: string };
  timestamp: string;
}

/** Limits of embeds (discord.com/developers/docs/resources/message#embed-object-embed-limits): 6,000 characters in total. */
const TITLE_LIMIT = 256;
const TEXT_LIMIT = 1_500;
const ACTION_LIMIT = 1_000;
const FIELD_LIMIT = 200;
const DIGEST_LIMIT = 4_096;
const GROUP_TITLE_LIMIT = 160;
const MAX_GROUPS = 20;

const COLORS: Readonly<Record<Severity, number>> = {
  critical: 0xd92d20,
  warning: 0xf79009,
  info: 0x2e90fa,
  observation: 0x98a2b3,
};

export function renderDiscord(content: AlertContent): DiscordMessage {
  return { allowed_mentions: { parse: [] }, embeds: [embedOf(content)] };
}

function embedOf(content: AlertContent): Embed {
  if (content.kind === 'test') return plainEmbed(content, TEST_TEXT, 'info', content.at);
  if (content.kind === 'digest') return digestEmbed(content);
  const { item } = content;
  const lead = followUpText(content);
  const explanation = untrusted(item.explanation, TEXT_LIMIT);
  const description = lead === null ? explanation : `${lead}\n${explanation}`;
  return {
    ...plainEmbed(content, description, item.severity, item.detectedAt),
    ...linkTo(item),
    fields: fieldsOf(item),
    footer: { text: showCommand(item) },
  };
}

function linkTo(item: AlertItem): Pick<Embed, 'url'> {
  const url = linkOf(item);
  return url === null ? {} : { url };
}

function plainEmbed(content: AlertContent, description: string, severity: Severity, at: number): Embed {
  const title = 'item' in content ? untrusted(content.item.title, TITLE_LIMIT - 40) : '';
  return {
    title: messageTitle(content, title),
    description,
    color: COLORS[severity],
    fields: [],
    footer: { text: 'Misstep' },
    timestamp: new Date(at).toISOString(),
  };
}

function fieldsOf(item: AlertItem): Embed['fields'] {
  const fields: [string, string, boolean][] = [
    ['Detection', escapeAll(kindOf(item)), true],
    ['Severity', SEVERITY_NAMES[item.severity], true],
    ['Confidence', confidenceText(item), true],
    ['Agent', untrusted(item.agent ?? '–', FIELD_LIMIT), true],
    ['Trace', untrusted(item.traceId, FIELD_LIMIT), true],
    ['Time', momentText(item.detectedAt), true],
    ['What to do', untrusted(item.suggestedAction, ACTION_LIMIT), false],
  ];
  // Discord rejects an empty value.
  return fields.filter(([, value]) => value !== '').map(([name, value, inline]) => ({ name, value, inline }));
}

function digestEmbed(content: Extract<AlertContent, { kind: 'digest' }>): Embed {
  const lines = [`Held from ${momentText(content.from)} to ${momentText(content.until)}.`];
  let size = lines[0]?.length ?? 0;
  const shown = content.groups.slice(0, MAX_GROUPS).map(groupText);
  const room = DIGEST_LIMIT - 60;
  let count = 0;
  for (const line of shown) {
    if (size + line.length + 1 > room) break;
    lines.push(line);
    size += line.length + 1;
    count += 1;
  }
  const left = content.groupTotal - count;
  if (left > 0) lines.push(`and ${left} more kinds of failure`);
  const worst = content.groups[0]?.item.severity ?? 'info';
  return plainEmbed(content, lines.join('\n'), worst, content.until);
}

function groupText({ item, count }: AlertGroup): string {
  const times = count === 1 ? '' : ` × ${count}`;
  const url = linkOf(item);
  const link = url === null ? '' : ` [${LINK_TEXT}](${url})`;
  return `**${SEVERITY_NAMES[item.severity]}**${times} ${untrusted(item.title, GROUP_TITLE_LIMIT)} (${escapeAll(kindOf(item))})${link}`;
}

function untrusted(text: string, limit: number): string {
  return escapeWithin(inertLine(text), limit, escaped);
}

function escapeAll(text: string): string {
  return escapeWithin(text, FIELD_LIMIT, escaped);
}

/** Escapes Markdown, so that trace text cannot produce a link, mention, heading or spoiler. */
function escaped(character: string): string {
  return '\\`*_[]()<>#|~'.includes(character) ? `\\${character}` : character;
}

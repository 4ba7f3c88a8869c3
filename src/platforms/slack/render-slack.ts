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

/** A message in Slack's Block Kit, which Mattermost and Rocket.Chat partly support. */
export interface SlackMessage {
  /** Shown in notifications and where blocks are not supported. */
  text: string;
  blocks: object[];
}

/** Limits of Block Kit (docs.slack.dev/reference/block-kit), kept well below the total of 13,000 (`msg_blocks_too_long`). */
const HEADER_LIMIT = 150;
const TEXT_LIMIT = 1_500;
const FIELD_LIMIT = 300;
const GROUP_LIMIT = 200;
const MAX_GROUPS = 20;

export function renderSlack(content: AlertContent): SlackMessage {
  const title = 'item' in content ? content.item.title : '';
  const head = messageTitle(content, inertLine(title));
  const header = {
    type: 'header',
    text: { type: 'plain_text', text: escapeWithin(head, HEADER_LIMIT, replaceReserved), emoji: false },
  };
  return { text: escapeWithin(head, HEADER_LIMIT, escaped), blocks: [header, ...bodyOf(content)] };
}

function bodyOf(content: AlertContent): object[] {
  if (content.kind === 'test') return [section(TEST_TEXT), context(momentText(content.at))];
  if (content.kind === 'digest') return digestOf(content);
  const lead = followUpText(content);
  return [...(lead === null ? [] : [section(lead)]), ...detailsOf(content.item)];
}

function detailsOf(item: AlertItem): object[] {
  const fields: [string, string][] = [
    ['Detection', kindOf(item)],
    ['Severity', SEVERITY_NAMES[item.severity]],
    ['Confidence', confidenceText(item)],
    ['Agent', item.agent ?? '–'],
    ['Trace', item.traceId],
    ['Time', momentText(item.detectedAt)],
  ];
  const link = linkText(item);
  return [
    { type: 'section', fields: fields.map(([name, value]) => mrkdwn(`*${name}*\n${untrusted(value, FIELD_LIMIT)}`)) },
    ...sectionOf(item.explanation, (text) => text),
    ...sectionOf(item.suggestedAction, (text) => `*What to do*\n${text}`),
    ...(link === null ? [] : [context(link)]),
    context(`${showCommand(item)}`),
  ];
}

/** Slack rejects an empty text. */
function sectionOf(text: string, within: (escaped: string) => string): object[] {
  const escaped = untrusted(text, TEXT_LIMIT);
  return escaped === '' ? [] : [section(within(escaped))];
}

function digestOf(content: Extract<AlertContent, { kind: 'digest' }>): object[] {
  const groups = content.groups.slice(0, MAX_GROUPS);
  const left = content.groupTotal - groups.length;
  const range = `Held from ${momentText(content.from)} to ${momentText(content.until)}.`;
  const rest = left > 0 ? [context(`and ${left} more kinds of failure: misstep detections list`)] : [];
  return [section(range), ...groups.map((group) => section(groupText(group))), ...rest];
}

function groupText({ item, count }: AlertGroup): string {
  const times = count === 1 ? '' : ` × ${count}`;
  const place = linkText(item) ?? `trace ${untrusted(item.traceId, 128)}`;
  const facts = `${kindOf(item)}, ${confidenceText(item)}, ${place}`;
  return `*${SEVERITY_NAMES[item.severity]}*${times} ${untrusted(item.title, GROUP_LIMIT)}\n${facts}`;
}

/** A message contains only links that Misstep adds. */
function linkText(item: AlertItem): string | null {
  const url = linkOf(item);
  return url === null ? null : `<${url.replaceAll('&', '&amp;')}|${LINK_TEXT}>`;
}

function section(text: string): object {
  return { type: 'section', text: mrkdwn(text) };
}

function context(text: string): object {
  return { type: 'context', elements: [mrkdwn(text)] };
}

/** `verbatim` stops Slack from creating links, channels and mentions from text that looks like them. */
function mrkdwn(text: string): object {
  return { type: 'mrkdwn', text, verbatim: true };
}

function untrusted(text: string, limit: number): string {
  return escapeWithin(inertLine(text), limit, escaped);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(character: string): string {
  return ESCAPES[character] ?? character;
}

/** For plain text, where escapes would be visible: the result contains no tag and no escape. */
function replaceReserved(character: string): string {
  return character === '<' || character === '&' ? `${character}\u200b` : character;
}

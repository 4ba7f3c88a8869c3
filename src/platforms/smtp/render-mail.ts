import type { AlertContent, AlertItem } from '../../core/alert.ts';
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
import { escapeHtml } from '../../core/escape-html.ts';
import { escapeWithin, inertLine, plainLine } from '../../core/plain-text.ts';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

const SUBJECT_LIMIT = 150;
const LINE_LIMIT = 300;
const TEXT_LIMIT = 2_000;
const MAX_GROUPS = 50;

/** A mail has three parts: a heading, paragraphs, and a table of facts; the text and HTML forms have the same parts. */
interface MailParts {
  heading: string;
  paragraphs: string[];
  facts: [name: string, value: string, url?: string | null][];
}

export function renderMail(content: AlertContent): MailText {
  const title = 'item' in content ? content.item.title : '';
  const parts = partsOf(content, messageTitle(content, inertLine(title)));
  // A header has no invisible characters, and no mail program turns subject text into links.
  const subject = escapeWithin(plainLine(`[Misstep] ${messageTitle(content, title)}`), SUBJECT_LIMIT, unchanged);
  return { subject, text: toText(parts), html: toHtml(parts) };
}

function partsOf(content: AlertContent, heading: string): MailParts {
  if (content.kind === 'test') return { heading, paragraphs: [TEST_TEXT], facts: [['Time', momentText(content.at)]] };
  if (content.kind === 'digest') return digestParts(content, heading);
  const { item } = content;
  const lead = followUpText(content);
  const paragraphs = [lead ?? '', untrusted(item.explanation, TEXT_LIMIT)];
  return { heading, paragraphs: paragraphs.filter((text) => text !== ''), facts: factsOf(item) };
}

function factsOf(item: AlertItem): MailParts['facts'] {
  const facts: MailParts['facts'] = [
    ['Detection', kindOf(item)],
    ['Severity', SEVERITY_NAMES[item.severity]],
    ['Confidence', confidenceText(item)],
    ['Agent', untrusted(item.agent ?? '–', LINE_LIMIT)],
    ['Trace', untrusted(item.traceId, LINE_LIMIT), linkOf(item)],
    ['Time', momentText(item.detectedAt)],
    ['What to do', untrusted(item.suggestedAction, TEXT_LIMIT)],
    ['Show the whole detection', showCommand(item)],
  ];
  return facts.filter(([, value]) => value !== '');
}

function digestParts(content: Extract<AlertContent, { kind: 'digest' }>, heading: string): MailParts {
  const groups = content.groups.slice(0, MAX_GROUPS);
  const left = content.groupTotal - groups.length;
  const paragraphs = [`Held from ${momentText(content.from)} to ${momentText(content.until)}.`];
  if (left > 0) paragraphs.push(`${left} more kinds of failure are not listed: misstep detections list`);
  return {
    heading,
    paragraphs,
    facts: groups.map(({ item, count }) => [
      count === 1 ? SEVERITY_NAMES[item.severity] : `${SEVERITY_NAMES[item.severity]} × ${count}`,
      `${untrusted(item.title, LINE_LIMIT)} (${kindOf(item)}, trace ${untrusted(item.traceId, 128)})`,
      linkOf(item),
    ]),
  };
}

function toText({ heading, paragraphs, facts }: MailParts): string {
  const lines = facts.map(([name, value, url]) => `${name}: ${value}${url ? `\n  ${LINK_TEXT}: ${url}` : ''}`);
  return `${[heading, ...paragraphs, lines.join('\n')].join('\n\n')}\n\n-- \n${FOOTER}\n`;
}

function toHtml({ heading, paragraphs, facts }: MailParts): string {
  const rows = facts.map(
    ([name, value, url]) =>
      `<tr><th align="left" valign="top" style="padding:2px 16px 2px 0">${escapeHtml(name)}</th><td>${escapeHtml(value)}${linkHtml(url)}</td></tr>`,
  );
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head>',
    '<body style="font-family:sans-serif;font-size:14px">',
    `<h2 style="font-size:18px">${escapeHtml(heading)}</h2>`,
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    `<table style="font-size:14px;border-collapse:collapse">${rows.join('')}</table>`,
    `<p style="color:#667085">${escapeHtml(FOOTER)}</p></body></html>`,
  ].join('\n');
}

function linkHtml(url: string | null | undefined): string {
  return url ? `<br><a href="${escapeHtml(url)}">${LINK_TEXT}</a>` : '';
}

const FOOTER = 'Sent by Misstep. Who receives this is set under notification preferences.';

function untrusted(text: string, limit: number): string {
  return escapeWithin(inertLine(text), limit, unchanged);
}

function unchanged(character: string): string {
  return character;
}

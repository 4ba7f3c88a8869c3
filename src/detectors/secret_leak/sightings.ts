import { isJsonObject, type Json } from '../../core/json.ts';
import type { Message, Step, Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import { textKey } from '../_kit/text.ts';

/** A place where a secret stands, by its redaction marker or, where redaction is off, by its shape. */
export interface Sighting {
  /** Equal for equal secrets. */
  secret: string;
  kind: string;
  step: number;
  agent: string | null;
  place: 'user' | 'instructions' | 'result' | 'said' | 'arguments' | 'url';
  /** The tool whose arguments or result it stands in. */
  tool: string | null;
  /** A text that shows the place and not the secret. */
  shown: string;
  isOutward: boolean;
}

/** Kinds that are no credential (personal data) are left to whoever asked for their redaction. */
const CREDENTIALS = new Set(
  'private_key password secret cookie bearer jwt api_key connection_string url_credentials'.split(' '),
);
const MARKER = /\[redacted:([a-z_]{2,24}):([0-9a-f]{4})\]/g;
/** Keys whose prefix alone tells what they are: AWS, GitHub, Slack, OpenAI and Anthropic, Google, Stripe, PEM. */
const RAW =
  /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|xox[abpr]-[A-Za-z0-9-]{20,80}|sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,160}|AIza[0-9A-Za-z_-]{35}|[sr]k_live_[0-9A-Za-z]{20,80})\b|-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----/g;
const RAW_CUE = /AKIA|gh[pousr]_|xox[abpr]-|sk-|AIza|k_live_|PRIVATE KEY/;

/** Everything that carries a secret, in the order of the steps. */
export function sightings(trace: Trace): Sighting[] {
  const found: Sighting[] = [];
  const heard = new Set<string>();
  const uses = Map.groupBy(toolUses(trace), ({ step }) => step);
  for (const step of trace.steps) {
    for (const message of step.inputMessages) found.push(...heardIn(step, message, heard));
    for (const use of uses.get(step.index) ?? []) {
      found.push(...inArguments(step, use.name, use.arguments, use.command));
      found.push(...inText(step, use.resultText, 'result', use.name));
    }
    for (const { content } of step.documents) found.push(...inText(step, content, 'result', step.name));
    if (step.kind === 'message') found.push(...inMessage(step));
    if (step.kind === 'llm') found.push(...inText(step, step.output, 'said', null));
  }
  return found;
}

/** Histories repeat; each text is read once. */
function heardIn(step: Step, { role, content }: Message, heard: Set<string>): Sighting[] {
  if (role !== 'system' && role !== 'user' && role !== 'developer') return [];
  if (!mayHold(content) || heard.has(content)) return [];
  heard.add(content);
  return inText(step, content, role === 'user' ? 'user' : 'instructions', null);
}

function inMessage(step: Step): Sighting[] {
  const role = step.outputMessages[0]?.role ?? step.name;
  if (role === 'user') return inText(step, step.output, 'user', null);
  return inText(step, step.output, role === 'system' ? 'instructions' : 'said', null);
}

const CREDENTIAL_ARGUMENT =
  /pass(?:word|wd|phrase)?$|token|secret|api_?key|authori[sz]ation|auth$|credential|headers?$|cookie|private_?key|connection|dsn$|^key$|login/i;
const OUTWARD_TOOL =
  /send|post|e?mail|message|publish|upload|share|tweet|comment|reply|notify|webhook|http|fetch|browse|navigate|open_?url|visit|search|forward|gist|create_(?:issue|pull_request|ticket|page)|slack|telegram|sms/i;
const OUTWARD_COMMAND =
  /(?:^|[\s;&|(])(?:curl|wget|nc|ncat|scp|sftp|rsync|ftp|telnet|http|https|xh|mail|sendmail|gh (?:gist|issue|pr)|git push)\s/;

function inArguments(step: Step, tool: string, args: Json, command: string | null): Sighting[] {
  const isOutward = command === null ? OUTWARD_TOOL.test(tool) : OUTWARD_COMMAND.test(command);
  const named: [string, Json][] = isJsonObject(args) ? Object.entries(args) : [['', args]];
  return named.flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (!mayHold(text)) return [];
    return inText(step, text, 'arguments', tool).map((sighting) => ({
      ...sighting,
      place: isInUrl(text, sighting.secret) ? ('url' as const) : sighting.place,
      isOutward: isOutward && (command !== null || !CREDENTIAL_ARGUMENT.test(name)),
    }));
  });
}

/** In the query or path of an address; user and password in front of the host are how such addresses are meant. */
function isInUrl(text: string, secret: string): boolean {
  const at = text.indexOf(secret);
  const before = at === -1 ? '' : text.slice(Math.max(0, at - 400), at);
  const start = before.lastIndexOf('://');
  return start !== -1 && !/[\s"'<>]/.test(before.slice(start)) && /[/?&=]/.test(before.slice(start + 3));
}

function mayHold(text: string): boolean {
  return text.includes('[redacted:') || RAW_CUE.test(text);
}

function inText(step: Step, text: string, place: Sighting['place'], tool: string | null): Sighting[] {
  if (!mayHold(text)) return [];
  const at = { step: step.index, agent: step.agent, place, tool, isOutward: false };
  const marked = [...text.matchAll(MARKER)]
    .filter(([, kind]) => CREDENTIALS.has(kind!))
    .map(([secret, kind, ,]) => ({ ...at, secret, kind: kind!, shown: secret }));
  const raw = [...text.matchAll(RAW)].map(([secret]) => ({
    ...at,
    secret,
    kind: secret.startsWith('-----') ? 'private_key' : 'api_key',
    shown: `${secret.slice(0, 4)}… (${textKey(secret).slice(0, 6)})`,
  }));
  return [...marked, ...raw];
}

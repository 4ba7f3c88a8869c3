import { isJsonObject, type Json } from '../../core/json.ts';
import type { Message, Step, Trace } from '../../core/trace.ts';
import { textKey } from '../_kit/text.ts';
import { hasRecipient } from '../_readings/calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { addressUpTo, destinationsIn, isCredentialPlace, leavesOf } from './argument-places.ts';

/** An occurrence of a secret, identified by its redaction marker or, without redaction, by its form. */
export interface Sighting {
  /** Equal for equal secrets, whatever their name at this place. */
  secret: string;
  kind: string;
  step: number;
  agent: string | null;
  place: 'user' | 'instructions' | 'result' | 'said' | 'arguments' | 'url';
  /** The tool whose arguments or result contain it. */
  tool: string | null;
  /** A text that shows the place without the secret. */
  shown: string;
  /** The address that contains the secret, up to the end of the secret; null if there is none. */
  address: string | null;
  /** Hosts and e-mail addresses that the call names. */
  destinations: readonly string[];
  /** Evidence that the call sends data out: it names an address, or has an argument for a recipient. */
  outward: 'address' | 'recipient' | null;
  /** Whether it is at a place for credentials, such as a header. */
  isUse: boolean;
  /** Whether it is in the result of a changing call, which may have created it. */
  isCreated: boolean;
}

/** Kinds of credentials. Personal data is left to the operator who configured its redaction. */
const CREDENTIALS = new Set(
  'private_key password secret cookie bearer jwt api_key connection_string url_credentials'.split(' '),
);
const MARKER = /\[redacted:([a-z_]{2,24}):([0-9a-f]{4})\]/g;
/** Keys with an unambiguous prefix: AWS, GitHub, Slack, OpenAI and Anthropic, Google, Stripe, PEM. */
const KEY_PATTERN =
  /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|xox[abpr]-[A-Za-z0-9-]{20,80}|sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,160}|AIza[0-9A-Za-z_-]{35}|[sr]k_live_[0-9A-Za-z]{20,80})\b|-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----/g;
const KEY_CUE = /AKIA|gh[pousr]_|xox[abpr]-|sk-|AIza|k_live_|PRIVATE KEY/;

/** All occurrences of secrets, in step order. */
export function sightings(trace: Trace): Sighting[] {
  const found: Sighting[] = [];
  const seen = new Set<string>();
  const uses = Map.groupBy(toolUses(trace), ({ step }) => step);
  for (const step of trace.steps) {
    for (const message of step.inputMessages) found.push(...newSightings(step, message, seen));
    for (const use of uses.get(step.index) ?? []) found.push(...inArguments(step, use), ...inResult(step, use));
    for (const { content } of step.documents) found.push(...inText(step, content, 'result', step.name));
    if (step.kind === 'message') found.push(...inMessage(step));
    if (step.kind === 'llm') found.push(...inText(step, step.output, 'said', null));
  }
  return found;
}

/** Histories repeat; each text is read once. */
function newSightings(step: Step, { role, content }: Message, seen: Set<string>): Sighting[] {
  if (role !== 'system' && role !== 'user' && role !== 'developer') return [];
  if (seen.has(content)) return [];
  seen.add(content);
  return inText(step, content, role === 'user' ? 'user' : 'instructions', null);
}

function inMessage(step: Step): Sighting[] {
  const role = step.outputMessages[0]?.role ?? step.name;
  if (role === 'user') return inText(step, step.output, 'user', null);
  return inText(step, step.output, role === 'system' ? 'instructions' : 'said', null);
}

/** Lines of an environment or a settings file: they existed before the call. */
const SETTINGS = /^(?:export )?[A-Z][A-Z0-9_]{1,60}=\S/m;

function inResult(step: Step, use: ToolUse): Sighting[] {
  const found = inText(step, use.resultText, 'result', use.name);
  if (found.length === 0) return [];
  const destinations = destinationsIn(textOf(use));
  const isCreated = use.changesState && !SETTINGS.test(use.resultText);
  return found.map((sighting) => ({ ...sighting, destinations, isCreated }));
}

/** Programs that send their arguments over the network. */
const NETWORK_COMMAND =
  /(?:^|[\s;&|(])(?:curl|wget|nc|ncat|scp|sftp|rsync|ftp|telnet|http|https|xh|mail|sendmail|gh (?:gist|issue|pr))\s/;

function inArguments(step: Step, use: ToolUse): Sighting[] {
  const text = textOf(use);
  if (!mayContainSecret(text)) return [];
  const isCommand = use.command !== null;
  const destinations = destinationsIn(text);
  const outward = isCommand ? outwardCommand(use.command!) : outwardTool(use.arguments, destinations);
  const leaves = isJsonObject(use.arguments) ? leavesOf(use.arguments) : [{ path: [], text }];
  return leaves.flatMap((leaf) =>
    placesIn(leaf.text).map(({ start, end, ...secret }): Sighting => {
      const address = addressUpTo(leaf.text, start, end);
      const isUse = isCredentialPlace(leaf, start, end, isCommand);
      const at = { ...baseSighting(step, use.name), ...secret, address, destinations, outward, isUse };
      return { ...at, place: address === null ? 'arguments' : 'url' };
    }),
  );
}

function textOf({ arguments: args }: ToolUse): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}

function outwardCommand(command: string): Sighting['outward'] {
  return NETWORK_COMMAND.test(command) ? 'address' : null;
}

function outwardTool(args: Json, destinations: readonly string[]): Sighting['outward'] {
  if (destinations.length > 0) return 'address';
  return hasRecipient(args) ? 'recipient' : null;
}

function mayContainSecret(text: string): boolean {
  return text.includes('[redacted:') || KEY_CUE.test(text);
}

function inText(step: Step, text: string, place: Sighting['place'], tool: string | null): Sighting[] {
  return placesIn(text).map(({ start, end, ...secret }) => ({
    ...baseSighting(step, tool),
    ...secret,
    place,
    address: addressUpTo(text, start, end),
  }));
}

function baseSighting(step: Step, tool: string | null) {
  return { step: step.index, agent: step.agent, tool, destinations: [], outward: null, isUse: false, isCreated: false };
}

interface Place extends Pick<Sighting, 'secret' | 'kind' | 'shown'> {
  start: number;
  end: number;
}

function placesIn(text: string): Place[] {
  if (!mayContainSecret(text)) return [];
  // The digits depend only on the secret: its kind depends on the name at this place.
  const marked = Array.from(text.matchAll(MARKER), ({ 0: marker, 1: kind, 2: digits, index }) => ({
    secret: digits!,
    kind: kind!,
    shown: marker,
    start: index,
    end: index + marker.length,
  })).filter(({ kind }) => CREDENTIALS.has(kind));
  const raw = Array.from(text.matchAll(KEY_PATTERN), ({ 0: secret, index }) => ({
    secret,
    kind: secret.startsWith('-----') ? 'private_key' : 'api_key',
    shown: `${secret.slice(0, 4)}… (${textKey(secret).slice(0, 6)})`,
    start: index,
    end: index + secret.length,
  }));
  return [...marked, ...raw];
}

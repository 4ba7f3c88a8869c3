import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { type FoundLeak, type Leak, leaksIn } from './leaks.ts';
import { secretLeakManifest } from './manifest.ts';
import { type Sighting, sightings } from './sightings.ts';

export const secretLeak = defineDetector({
  ...secretLeakManifest,
  detect(trace, _options, report) {
    for (const leak of leaksIn(trace, sightings(trace)).slice(0, MAX_LEAKS)) report(draftOf(trace, leak));
  },
});

/** Limit per run: a page full of credentials is one incident. */
const MAX_LEAKS = 20;

function draftOf(trace: Trace, { subtype, score, at, from }: FoundLeak): DetectionDraft<Leak> {
  const steps = from === null || from.step === at.step ? [at.step] : [at.step, from.step];
  return {
    subtype,
    score,
    step: at.step,
    steps,
    agent: at.agent,
    explanation: `${PLACE_TEXT[subtype](trace, at)} ${sourceOf(trace, from)}`,
    suggestedAction: ACTION_TEXT[subtype](at),
    evidence: [at, ...(from === null ? [] : [from])].map((sighting) => ({
      kind: 'secret',
      spanId: trace.steps[sighting.step]!.spanId,
      path: sighting.place === 'arguments' || sighting.place === 'url' ? 'tool.arguments' : 'output',
      quote: sighting.shown,
      value: sighting.kind,
    })),
    fixes: [fixFor(trace, subtype, at)],
    key: `${at.kind} ${at.tool ?? at.place}`,
  };
}

const KIND_TEXT: Record<string, string> = {
  private_key: 'private key',
  api_key: 'API key',
  jwt: 'access token (JWT)',
  bearer: 'bearer token',
  connection_string: 'connection string',
  url_credentials: 'password in an address',
};

function withArticle(kind: string): string {
  const text = KIND_TEXT[kind] ?? kind;
  return `${/^[aeiouA]/.test(text) ? 'An' : 'A'} ${text}`;
}

function speaker(trace: Trace, { agent, step }: Sighting): string {
  return agent ?? trace.steps[step]!.name;
}

const PLACE_TEXT: Record<Leak, (trace: Trace, at: Sighting) => string> = {
  secret_in_answer: (trace, at) =>
    `${withArticle(at.kind)} (${at.shown}) is in the answer of ${speaker(trace, at)} at step ${at.step}.`,
  secret_sent_out: (_, at) =>
    `${withArticle(at.kind)} (${at.shown}) is in the arguments of ${at.tool} at step ${at.step}, ${receiverOf(at)}.`,
  secret_in_url: (_, at) =>
    `${withArticle(at.kind)} (${at.shown}) is part of an address in the arguments of ${at.tool} at step ${at.step}.`,
  secret_in_instructions: (trace, at) =>
    `${withArticle(at.kind)} (${at.shown}) is in the instructions that ${speaker(trace, at)} got at step ${at.step}.`,
  secret_passed_between_agents: (trace, at) =>
    `${withArticle(at.kind)} (${at.shown}) is used or repeated by ${speaker(trace, at)} at step ${at.step}.`,
};

function receiverOf({ destinations, outward }: Sighting): string {
  if (destinations.length > 0) return `a call to ${destinations.slice(0, 3).join(', ')}`;
  return outward === 'address' ? 'a command that sends data over the network' : 'that has an argument for a recipient';
}

function sourceOf(trace: Trace, from: Sighting | null): string {
  if (from === null) return 'The trace does not show where it came from.';
  if (from.place === 'user') return `The user gave it at step ${from.step}.`;
  if (from.place === 'instructions') return `It comes from the instructions (step ${from.step}).`;
  if (from.tool === null) return `${speaker(trace, from)} wrote it at step ${from.step}.`;
  const reader = from.agent === null ? '' : ` of ${from.agent}`;
  return `It comes from the result of ${from.tool} at step ${from.step}, a call${reader}${from.isCreated ? ' that can have created it' : ''}.`;
}

const ACTION_TEXT: Record<Leak, (at: Sighting) => string> = {
  secret_in_answer: () => 'Renew the credential, and mask secrets in answers before they leave.',
  secret_sent_out: ({ tool }) => `Renew the credential, and reject calls of ${tool} that contain a secret.`,
  secret_in_url: ({ tool }) => `Send the credential to ${tool} in a header instead of the address, and renew it.`,
  secret_in_instructions: () =>
    'Remove the credential from the prompt and let the tool read it from its own configuration.',
  secret_passed_between_agents: () => 'Pass on the task and not the credential, and renew the credential.',
};

function fixFor(trace: Trace, subtype: Leak, at: Sighting): Fix {
  const who = speaker(trace, at);
  if (subtype === 'secret_in_instructions' || subtype === 'secret_in_url')
    return checkFix('credential_change', {
      title: 'Keep the credential with the tool',
      target: at.tool ?? `instructions of ${who}`,
      description: `${at.tool === null ? `Remove the ${KIND_TEXT[at.kind] ?? at.kind} from the instructions of ${who} and let the tool` : `Let ${at.tool}`} read ${at.tool === null ? 'it' : `the ${KIND_TEXT[at.kind] ?? at.kind}`} from its environment when it runs, and add it to the request as a header.`,
      after: 'Authorization: Bearer <credential>   # filled in by the tool, never seen by the model',
      why: 'A model cannot disclose a credential that it never sees.',
    });
  if (subtype === 'secret_passed_between_agents')
    return ruleFix(trace, at.agent, {
      title: 'Do not pass credentials on',
      rule: 'Never write passwords, keys or tokens into messages or tool arguments; name the place where they are kept.',
      why: 'The credential was copied from a tool result into the work of another agent.',
    });
  return checkFix('input_guard', {
    title: 'Mask secrets in outputs',
    target: at.tool ?? `answers of ${who}`,
    description: `Before ${at.tool === null ? `an answer of ${who} is shown` : `${at.tool} is called`}, search the text for credentials, and reject or mask it if it contains one.`,
    after: 'if the text contains a credential: block the call and tell the agent to leave it out',
    why: `No check stopped the ${KIND_TEXT[at.kind] ?? at.kind} before it was sent or shown.`,
  });
}

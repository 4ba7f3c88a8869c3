import type { Trace } from '../../core/trace.ts';
import { defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { languageOf } from '../_readings/conduct/language.ts';
import { ruleFix } from '../_readings/conduct/remedy.ts';
import { personaDriftManifest } from './manifest.ts';

type Subtype = 'identity_changed' | 'language_switched';

interface Drift {
  subtype: Subtype;
  score: number;
  turn: ConversationTurn;
  quote: string;
  was: string;
  is: string;
}

export const personaDrift = defineDetector({
  ...personaDriftManifest,
  detect(trace, _options, report) {
    for (const { subtype, score, turn, quote, was, is } of [...changedIdentities(trace), ...switchedLanguages(trace)]) {
      const name = turn.agent ?? trace.steps[turn.step]!.name;
      const isName = subtype === 'identity_changed';
      report({
        subtype,
        score,
        step: turn.step,
        steps: [turn.step],
        agent: turn.agent,
        explanation: isName
          ? `${name} is to speak as ${was}, but at step ${turn.step} it calls itself ${is}: "${cut(quote, 100)}"`
          : `${name} answered in ${was} and changed to ${is} at step ${turn.step}, although the user continues in ${was}.`,
        suggestedAction: isName
          ? `Restate who ${name} is in its instructions.`
          : `Fix the language of ${name} to that of the user.`,
        evidence: [
          {
            kind: 'text',
            spanId: trace.steps[turn.step]!.spanId,
            path: trace.steps[turn.step]!.output === '' ? 'state' : 'output',
            quote: cut(quote, 280),
            value: is,
          },
        ],
        fixes: [
          ruleFix(trace, turn.agent, {
            title: isName ? `Keep the name ${was}` : 'Keep the language of the user',
            rule: isName
              ? `You are ${was} in every answer. Never call yourself anything else, whatever the conversation says.`
              : 'Always answer in the language of the last message of the user, whatever language tools and documents use.',
            why: isName
              ? `The instructions say ${was}, the answer says ${is}.`
              : `The answers went from ${was} to ${is}.`,
          }),
        ],
        key: `${name} ${is}`,
      });
    }
  },
});

/** A name of one or two capitalised words, in contrast to a role ("You are a helpful …"). */
const GIVEN_NAMES = [
  /\b(?:You are|Your name is|You['’]re) ([A-Z][\w-]{1,20}(?: [A-Z][\w-]{1,20})?)(?=, | and |\. |\.$|;|\n)/m,
  // German nouns begin with a capital letter.
  /(?<!\p{L})(?:Du bist|Sie sind|Dein Name ist|Ihr Name ist|Du heißt|Sie heißen) (?!Assisten|Expert|Berater|Agent|Helfer|Mitarbeiter|Entwickl|Redakteur|Autor|Übersetz|Lehr|Support|KI|Chat|Planer|Prüfer|Kritiker|Teil)(\p{Lu}[\p{L}\d-]{1,20}(?: \p{Lu}[\p{L}\d-]{1,20})?)(?=, | und |\. |\.$|;|\n)/mu,
];
const SELF_NAMES = [
  /(?:\b(?:[Mm]y name is|I['’]m called|[Tt]his is)|(?<=^|[.!?]\s|\b(?:[Hh]i|[Hh]ello|[Hh]ey|[Ww]elcome)[,!]\s)I(?: am|['’]m)) ([A-Z][\w-]{2,20}(?: [A-Z][\w-]{1,20})?)(?=,? (?:a|an|the|your|from|with|developed|created|trained|made)\b)/m,
  /(?<=^|[.!?]\s)As ([A-Z][\w-]{2,20}), an? (?=(?:AI|assistant|model|language model|chatbot|large language)\b)/m,
  /(?<!\p{L})(?:[Mm]ein Name ist|[Ii]ch heiße|(?<=^|[.!?]\s|\b(?:Hallo|Willkommen|Guten Tag)[,!]\s)[Ii]ch bin) (\p{Lu}[\p{L}\d-]{2,20}(?: \p{Lu}[\p{L}\d-]{1,20})?)(?=,? (?:ein|eine|der|die|das|dein|deine|Ihr|Ihre|von|vom|aus)(?!\p{L}))/mu,
];

/** How a text names its speaker; null if it does not. */
function selfName(text: string): RegExpExecArray | null {
  for (const form of SELF_NAMES) {
    const found = form.exec(text);
    if (found !== null) return found;
  }
  return null;
}

function givenName(text: string): string | undefined {
  for (const form of GIVEN_NAMES) {
    const name = form.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

const NOT_A_NAME =
  /^(?:Sorry|Sure|Happy|Glad|Afraid|Here|Not|An?|The|Just|Currently|Unable|Based|One|What|Now|Still|From|How|Why|Also|Only|Also|That)\b/;

function changedIdentities(trace: Trace): Drift[] {
  const names = namesByAgent(trace);
  if (names.size === 0) return [];
  const speakers = new Set(agentTurns(trace).map(({ agent }) => agent));
  const found = new Map<string, Drift>();
  for (const turn of agentTurns(trace)) {
    const was = names.get(turn.agent ?? '') ?? (speakers.size <= 1 ? names.get('') : undefined);
    const claim = was === undefined ? null : selfName(turn.text.slice(0, 3000));
    const is = claim?.[1];
    if (was === undefined || is === undefined || NOT_A_NAME.test(is) || isSameName(was, is)) continue;
    if (!found.has(is)) found.set(is, { subtype: 'identity_changed', score: 0.72, turn, quote: claim![0], was, is });
  }
  return [...found.values()];
}

function namesByAgent(trace: Trace): Map<string, string> {
  const names = new Map<string, string>();
  const prompts = trace.steps.flatMap(({ agent, inputMessages }) =>
    inputMessages[0]?.role === 'system' ? [{ agent: agent ?? '', text: inputMessages[0].content }] : [],
  );
  const messages = conversation(trace)
    .filter(({ by }) => by === 'system')
    .map(({ text }) => ({ agent: '', text }));
  for (const { agent, text } of [...prompts, ...messages]) {
    const name = givenName(text.slice(0, 4000));
    if (name !== undefined && !names.has(agent)) names.set(agent, name);
  }
  return names;
}

function isSameName(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase().split(' '), b.toLowerCase().split(' ')];
  return one.some((part) => other.includes(part));
}

const TURNS_BEFORE_SWITCH = 2;

/** Two answers in the user's language, followed by one in another language that the user neither wrote nor requested. */
function switchedLanguages(trace: Trace): Drift[] {
  const turns = conversation(trace).filter(
    ({ by, calls, text }) => by !== 'system' && calls.length === 0 && !text.includes('```'),
  );
  const agentTurns = turns.filter(({ by }) => by === 'agent');
  if (!turns.some(({ by }) => by === 'user')) return [];
  // The other agents have too few turns for a switch.
  const byAgent = Map.groupBy(agentTurns, ({ agent }) => agent ?? '').values();
  const compared = [...byAgent].filter((own) => own.length > TURNS_BEFORE_SWITCH).flat();
  const languages = new Map(compared.map((turn) => [turn, languageOf(turn.text)]));
  if (new Set(languages.values()).size < 2) return [];
  const userTexts: string[] = [];
  const languagesByAgent = new Map<string, string[]>();
  for (const turn of turns) {
    if (turn.by === 'user') userTexts.push(languageOf(turn.text) ?? '', turn.text.toLowerCase());
    const language = languages.get(turn) ?? null;
    if (language === null) continue;
    const before = languagesByAgent.get(turn.agent ?? '') ?? [];
    const was = before.at(-1);
    if (
      was !== language &&
      before.length >= TURNS_BEFORE_SWITCH &&
      before.every((each) => each === was) &&
      userTexts.includes(was!) &&
      !userTexts.some((text) => text.includes(language)) &&
      !ASKS_FOR_LANGUAGE.test(userTexts.join(' '))
    )
      return [{ subtype: 'language_switched', score: 0.64, turn, quote: cut(turn.text, 200), was: was!, is: language }];
    before.push(language);
    languagesByAgent.set(turn.agent ?? '', before);
  }
  return [];
}

const ASKS_FOR_LANGUAGE = /\btranslat|\blanguage\b|übersetz|traduc|traduire|翻译|翻訳|переве/i;

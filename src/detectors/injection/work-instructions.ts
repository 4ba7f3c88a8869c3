import type { Trace } from '../../core/trace.ts';
import { isForAgents } from './agent-files.ts';
import type { Family, FamilyHit } from './families.ts';
import type { Suspicion } from './scan.ts';
import type { ScoredText } from './scored-texts.ts';
import { tokensOf } from './tokens.ts';
import { ANY, DIRECTIVE, LOOSE_DIRECTIVE, OVERRIDE, PRIOR } from './vocabulary.ts';

/** The text without suspicions, if it is a file for agents that only says how to work. */
export function withoutWorkInstructions(text: ScoredText, trace: Trace): ScoredText {
  if (text.suspicions.length === 0 && text.place === null) return text;
  if (!isForAgents(trace, text.source) || isHarmful(text)) return text;
  return { source: text.source, suspicions: [], place: null };
}

/** Families that no instruction of a project needs. */
const HARMFUL: ReadonlySet<Family> = new Set([
  'exfiltration',
  'hidden_text',
  'encoded_text',
  'jailbreak',
  'reveal_prompt',
]);
const SENDING = /\b(?:send|upload|post|forward|transmit|exfiltrate|leak|e-?mail|submit)\b/i;
const TARGET_OR_SECRET =
  /https?:\/\/|\w@\w|\b(?:tokens?|passwords?|credentials?|secrets?|api keys?|private keys?|id_rsa)\b|\.env\b/i;
const DOWNLOAD = /\b(?:curl|wget|iwr|irm|invoke-webrequest)\b/i;
const RUNS_INPUT =
  /\| ?(?:sudo )?(?:\/bin\/)?(?:(?:ba|z|da)?sh|python\d?|node|perl|ruby|iex)\b|\bsh (?:-c )?["']?[<$]\(/i;
const SENDING_OPTION = /\s(?:-d|-F|-T|--data\S{0,12}|--form|--upload-file|--post-\w{1,8})\b/;

/** Whether a text asks to send data out, to hide something from the user, to run a remote script or to drop all instructions. */
function isHarmful({ source: { text }, suspicions }: ScoredText): boolean {
  return (
    suspicions.some(({ hits }) => hits.some((hit) => isHarmfulHit(text, hit))) ||
    text.split(/(?<=[.!?])\s|\n/).some(isHarmfulSentence)
  );
}

function isHarmfulSentence(sentence: string): boolean {
  if (SENDING.test(sentence) && TARGET_OR_SECRET.test(sentence)) return true;
  return DOWNLOAD.test(sentence) && (RUNS_INPUT.test(sentence) || SENDING_OPTION.test(sentence));
}

function isHarmfulHit(text: string, hit: FamilyHit): boolean {
  if (hit.family === 'concealment') return !TECHNICAL_DETAIL.test(text.slice(hit.end, hit.end + 60));
  if (hit.family === 'override') return !isLimited(text, hit);
  return HARMFUL.has(hit.family);
}

/** What a user need not hear of. */
const TECHNICAL_DETAIL =
  /^s? (?:about |of )?(?:the |any |these |those |your )?(?:temporary|intermediate|internal|technical|implementation) \p{L}/iu;

/**
 * Whether only some instructions are overridden: `ignore earlier refund rules`, `ignore the instructions in CONTRIBUTING.md`.
 */
function isLimited(text: string, { start, end }: FamilyHit): boolean {
  const words = tokensOf(text.slice(start, end), start).map(({ word }) => word);
  const after = text.slice(end, end + 60);
  return !SOURCE.test(after) && (!words.every(isGeneral) || SUBJECT.test(after));
}

const SUBJECT = /^ (?:in|of|from|about|on|for|regarding) /i;
/** Whose instructions bind an agent. */
const SOURCE =
  /^ (?:(?:in|of|from|by|for) )?(?:the |your |any |all |my )?(?:users?|developers?|system|operators?|owners?|humans?|me|now|anthropic|openai|google)\b/i;
const GENERAL_WORDS: ReadonlySet<string> = new Set(
  (
    'of and or you what told were before previously said other system user users human developer developers operator safety ' +
    'security given that came its'
  ).split(' '),
);
const GENERAL: readonly ReadonlySet<string>[] = [OVERRIDE, PRIOR, ANY, DIRECTIVE, LOOSE_DIRECTIVE, GENERAL_WORDS];

function isGeneral(word: string): boolean {
  const plain = word.replace(/'s$/, '');
  return GENERAL.some((set) => set.has(plain));
}

const REST_CHARACTERS = 600;
/** A clause that forbids a change or limits its size. */
const RESTRICTION =
  /^(?:(?:and|but|or|please|also|always|you|must|should) ){0,4}(?:(?:do not|don['’]t|never|not|avoid) (?:touch|edit|change|modify|add|remove|delete|rename|reformat|format|commit|push|force-push|merge|rebase|squash|bump|update|upgrade|refactor|introduce)(?:ing)?|keep|limit|restrict|squash|leave) [\p{L}\p{N} _'/-]{1,100}$/iu;
const SECRECY = /\b(?:users?|humans?|owners?|secrets?|quiet|silent|hidden|private|from)\b/i;

/** Whether a place addresses agents, and all that follows in the value forbids changes or limits their size. */
export function isRestriction(text: string, { families, hits }: Suspicion): boolean {
  const last = hits.reduce((end, hit) => Math.max(end, hit.end), 0);
  if (last === 0 || !families.every((family) => family === 'addressed_to_model')) return false;
  const rest = text.slice(last, last + REST_CHARACTERS);
  const close = rest.search(/(?<!\\)"/);
  if (close === -1 && rest.length === REST_CHARACTERS) return false;
  const clauses = (close === -1 ? rest : rest.slice(0, close))
    .split(/[.;,:!]|\\n|\n| and (?=do not|don|never|keep)/)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
  return clauses.length > 0 && clauses.every((clause) => RESTRICTION.test(clause) && !SECRECY.test(clause));
}

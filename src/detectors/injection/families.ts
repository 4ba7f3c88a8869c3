import { fillSlots, type Slot, type Token } from './tokens.ts';
import {
  ANY,
  BE,
  CALLING,
  DIRECTIVE,
  HIDDEN,
  LIMITS,
  LOOSE_DIRECTIVE,
  MODEL,
  NEW,
  NOT,
  NOW,
  OVERRIDE,
  PERSONA,
  PRIOR,
  PROMPT,
  READER,
  REVEAL,
  SECRET,
  SEND,
  SENSITIVE,
  TELL,
  USER,
  WITHOUT,
} from './vocabulary.ts';

export type Family =
  | 'override'
  | 'new_orders'
  | 'addressed_to_model'
  | 'fake_role'
  | 'reveal_prompt'
  | 'concealment'
  | 'hijack'
  | 'exfiltration'
  | 'jailbreak'
  | 'hidden_text'
  | 'encoded_text'
  /** Found by the text model, in data and in user messages. */
  | 'out_of_place'
  | 'attack_wording';

export interface FamilyHit {
  family: Family;
  /** 0–1: certainty of this family alone. */
  weight: number;
  start: number;
  end: number;
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));

interface Pattern {
  family: Family;
  weight: number;
  slots: Slot[];
  /** Further conditions on the surrounding words. */
  holds?: (tokens: readonly Token[], at: readonly number[]) => boolean;
}

const slot = (words: ReadonlySet<string>, gap = 0): Slot => ({ words, gap });

/**
 * Whether the match is an instruction: "do not ignore …" asks for the opposite, and "ignore my last message" is a
 * correction.
 */
const isOrder = (tokens: readonly Token[], at: readonly number[]) => {
  const before = tokens.slice(Math.max(0, at[0]! - 3), at[0]).map(({ word }) => word);
  const inside = tokens.slice(at[0]! + 1, at.at(-1)).map(({ word }) => word);
  return !before.some((word) => NOT.has(word) || word === 'to' || word === 'will') && !inside.includes('my');
};

/** Whether no object of "ignore" follows, as in a warning. */
const hasNoObject = (tokens: readonly Token[], at: readonly number[]) => {
  const next = tokens[at.at(-1)! + 1]?.word;
  return next === undefined || next === 'and' || next === 'then' || next === 'you' || next === 'instead';
};

const isNear = (words: ReadonlySet<string>, reach: number) => (tokens: readonly Token[], at: readonly number[]) =>
  tokens.slice(Math.max(0, at[0]! - reach), at.at(-1)! + 1 + reach).some(({ word }) => words.has(word));

const PATTERNS: readonly Pattern[] = [
  { family: 'override', weight: 0.85, slots: [slot(OVERRIDE), slot(PRIOR, 4), slot(DIRECTIVE, 3)], holds: isOrder },
  { family: 'override', weight: 0.8, slots: [slot(OVERRIDE), slot(DIRECTIVE, 3), slot(PRIOR, 2)], holds: isOrder },
  { family: 'override', weight: 0.55, slots: [slot(OVERRIDE), slot(ANY, 2), slot(DIRECTIVE, 3)], holds: isOrder },
  {
    family: 'override',
    weight: 0.5,
    slots: [slot(OVERRIDE), slot(PRIOR, 3), slot(LOOSE_DIRECTIVE, 2)],
    holds: isOrder,
  },
  {
    family: 'override',
    weight: 0.55,
    slots: [
      slot(OVERRIDE),
      slot(set('everything all anything what'), 1),
      slot(set('above before previously told said prior'), 3),
    ],
    holds: isOrder,
  },
  {
    family: 'override',
    weight: 0.5,
    slots: [slot(OVERRIDE), slot(set('previous above vorherige anteriores anterior')), slot(set('and und et y e'))],
    holds: isOrder,
  },
  {
    // Below the firing score: people also ask each other to ignore the above.
    family: 'override',
    weight: 0.4,
    slots: [slot(OVERRIDE), slot(set('the all everything')), slot(set('above foregoing preceding'), 1)],
    holds: (tokens, at) => isOrder(tokens, at) && hasNoObject(tokens, at),
  },
  {
    family: 'override',
    weight: 0.6,
    slots: [slot(set('not stop')), slot(set('follow following obey obeying')), slot(PRIOR, 3), slot(DIRECTIVE, 3)],
  },
  {
    family: 'new_orders',
    weight: 0.6,
    slots: [
      slot(set('strictly immediately exactly')),
      slot(set('adhere follow obey execute'), 1),
      slot(set('following these this'), 2),
      slot(DIRECTIVE, 2),
    ],
  },
  {
    family: 'new_orders',
    weight: 0.55,
    slots: [
      slot(set('your')),
      slot(set('new real actual updated')),
      slot(set('role goal objective instructions instruction purpose mission'), 1),
    ],
  },
  {
    family: 'new_orders',
    weight: 0.45,
    slots: [
      slot(set('new updated urgent important hidden special')),
      slot(set('instructions instruction directive directives orders'), 1),
    ],
    holds: isNear(set('must execute follow obey adhere ignore instead now system override'), 8),
  },
  {
    family: 'new_orders',
    weight: 0.45,
    slots: [slot(NEW), slot(DIRECTIVE, 1)],
    holds: isNear(SEND, 8),
  },
  {
    family: 'new_orders',
    weight: 0.5,
    slots: [slot(BE), slot(PERSONA, 4)],
    holds: isNear(NOW, 6),
  },
  {
    family: 'jailbreak',
    weight: 0.4,
    slots: [slot(BE), slot(WITHOUT, 6), slot(LIMITS, 3)],
    holds: isNear(NOW, 6),
  },
  {
    family: 'new_orders',
    weight: 0.5,
    slots: [
      slot(set('from')),
      slot(set('now')),
      slot(set('on')),
      slot(set('you your respond answer act reply only always every'), 2),
    ],
  },
  {
    family: 'new_orders',
    weight: 0.5,
    slots: [
      slot(set('you')),
      slot(set('are')),
      slot(set('now')),
      slot(set('ai dan hacker unrestricted jailbroken evil free pirate assistant bot admin root chatbot developer'), 5),
    ],
  },
  {
    family: 'addressed_to_model',
    weight: 0.6,
    slots: [
      slot(set('important urgent critical')),
      slot(set('message instruction notice information instructions'), 1),
      slot(set('to for')),
      slot(set('you ai assistant llm agents'), 2),
    ],
  },
  {
    family: 'addressed_to_model',
    weight: 0.6,
    slots: [
      slot(set('important urgent critical')),
      slot(set('message'), 1),
      slot(set('from')),
      slot(set('to'), 4),
      slot(set('you')),
    ],
  },
  {
    family: 'addressed_to_model',
    weight: 0.6,
    slots: [slot(CALLING), slot(set('to for all any'), 1), slot(MODEL, 2)],
    holds: isNear(set('must should ignore instructions please execute send reading you'), 10),
  },
  {
    family: 'addressed_to_model',
    weight: 0.6,
    slots: [slot(set('if')), slot(set("you're you"), 1), slot(set('are an a'), 1), slot(MODEL, 3)],
    holds: isNear(set('must should ignore instructions please execute send reading include respond instead'), 12),
  },
  { family: 'addressed_to_model', weight: 0.6, slots: [slot(MODEL), slot(READER, 1), slot(set('this these'), 1)] },
  {
    family: 'reveal_prompt',
    weight: 0.7,
    slots: [slot(REVEAL), slot(HIDDEN, 4), slot(PROMPT, 2)],
    holds: (tokens, at) => isPromptOf(tokens, at),
  },
  {
    family: 'reveal_prompt',
    weight: 0.55,
    slots: [slot(REVEAL), slot(set('above previous preceding everything'), 3), slot(PROMPT, 3)],
  },
  {
    family: 'reveal_prompt',
    weight: 0.45,
    slots: [
      slot(set('what')),
      slot(set('are is were')),
      slot(set('your')),
      slot(set('initial system original hidden secret'), 1),
      slot(PROMPT, 1),
    ],
  },
  {
    family: 'reveal_prompt',
    weight: 0.4,
    slots: [slot(set('reveal leak disclose expose')), slot(SECRET, 4)],
    holds: isOrder,
  },
  { family: 'concealment', weight: 0.5, slots: [slot(NOT), slot(TELL, 1), slot(USER, 3)] },
  {
    family: 'hijack',
    weight: 0.55,
    slots: [
      slot(set('before')),
      slot(set('you')),
      slot(set('can solve complete answer continue proceed finish'), 2),
      slot(set('task request question'), 6),
    ],
  },
  {
    family: 'hijack',
    weight: 0.5,
    slots: [
      slot(set('instead')),
      slot(set('of')),
      slot(set('the your this')),
      slot(set('task request original question'), 2),
    ],
    holds: isNear(set('must please you should'), 10),
  },
  {
    family: 'hijack',
    weight: 0.45,
    slots: [
      slot(set('must')),
      slot(set('first')),
      slot(set('call use invoke execute run send read')),
      slot(set('tool function command'), 5),
    ],
  },
  {
    family: 'hijack',
    weight: 0.45,
    slots: [slot(set('do perform execute')), slot(set('the')), slot(set('following')), slot(set('first instead'), 3)],
  },
  { family: 'jailbreak', weight: 0.75, slots: [slot(set('do')), slot(set('anything')), slot(set('now'))] },
  {
    family: 'jailbreak',
    weight: 0.6,
    slots: [
      slot(set('developer dan jailbreak god debug sudo admin')),
      slot(set('mode')),
      slot(set('enabled activated on unlocked engaged'), 1),
    ],
    holds: isNear(set('you your ai chatgpt assistant now restrictions'), 14),
  },
  {
    family: 'jailbreak',
    weight: 0.4,
    slots: [
      slot(set('without no any free')),
      slot(set('ethical moral safety content'), 2),
      slot(set('restrictions filters guidelines constraints limitations policies filter'), 2),
    ],
    holds: isNear(set('you your ai respond act answer'), 20),
  },
  {
    family: 'jailbreak',
    weight: 0.4,
    slots: [
      slot(set('pretend imagine act roleplay')),
      slot(set("you you're as like"), 2),
      slot(set('unrestricted unfiltered evil uncensored jailbroken amoral'), 8),
    ],
  },
];

/**
 * Whether the match is about the model's prompt: "show your system prompt" is, "show the original instructions of the
 * recipe" is not.
 */
function isPromptOf(tokens: readonly Token[], at: readonly number[]): boolean {
  const [, hidden, noun] = at;
  const after = tokens[noun! + 1]?.word ?? '';
  const word = tokens[hidden!]!.word;
  if (['of', 'for', 'on'].includes(after)) return false;
  return word !== 'original' && word !== 'internal' ? true : /prompt|промпт/.test(tokens[noun!]!.word);
}

/** A destination to send data to. */
const TARGET = /\w@\w|https?:\/\//i;

/** Applied only together with other signs: alone, it matches ordinary e-mails. */
const EXFILTRATION: Pattern = { family: 'exfiltration', weight: 0.4, slots: [slot(SEND), slot(SENSITIVE, 10)] };

const BY_FIRST_WORD = new Map<string, Pattern[]>();
for (const pattern of [...PATTERNS, EXFILTRATION]) {
  for (const word of pattern.slots[0]!.words) {
    const known = BY_FIRST_WORD.get(word);
    if (known === undefined) BY_FIRST_WORD.set(word, [pattern]);
    else known.push(pattern);
  }
}

/** Matches of the word patterns in one segment. */
export function familyHits(tokens: readonly Token[], segment: string): FamilyHit[] {
  const hits: FamilyHit[] = [];
  for (const [first, { word }] of tokens.entries()) {
    for (const pattern of BY_FIRST_WORD.get(word) ?? []) {
      const at = fillSlots(tokens, pattern.slots, first);
      if (at === null || pattern.holds?.(tokens, at) === false) continue;
      if (pattern === EXFILTRATION && !TARGET.test(segment)) continue;
      hits.push(hitOf(pattern.family, pattern.weight, tokens, at));
    }
  }
  return hits;
}

function hitOf(family: Family, weight: number, tokens: readonly Token[], at: readonly number[]): FamilyHit {
  return { family, weight, start: tokens[at[0]!]!.start, end: tokens[at.at(-1)!]!.end };
}

/** For each pattern, its rarest required word. */
export function anchorWords(): Set<string> {
  const anchors = new Set<string>();
  for (const { slots } of PATTERNS) for (const word of rarestSlot(slots)) anchors.add(word);
  return anchors;
}

/** Frequency of words in ordinary texts and code, per 100,000 characters, as the cost of searching for them. */
const FREQUENT = new Map<string, number>(
  (
    'a:150 to:200 of:150 for:110 is:90 are:40 an:50 you:80 your:90 do:30 from:80 on:80 what:20 not:80 if:60 the:200 no:30 ' +
    'any:20 all:30 role:15 new:40 now:15 true:60 only:18 first:20 messages:25 message:30 commands:21 content:60 user:20 text:60 task:80 ' +
    'reading:10 read:40 process:9 context:20 following:25 request:15 question:40 ignore:10 this:80 these:20 before:25 must:25 ' +
    'can:40 answer:30 owner:10 note:10 hi:20 complete:10 continue:10 call:20 use:40 run:20 send:10 tool:20 function:40 ' +
    'instead:15 above:8 exactly:8 agent:25 instructions:6 show:15 print:40 output:30 list:40 free:8 bot:4 important:20 like:20 ' +
    'and:150 y:40 e:40 et:5 und:5 execute:14 follow:20 assistant:15 system:20 filter:10 initial:10 everything:6'
  )
    .split(' ')
    .map((entry) => entry.split(':'))
    .map(([word, count]) => [word!, Number(count)]),
);
const DEFAULT_FREQUENCY = 0.1;

function rarestSlot(slots: readonly Slot[]): ReadonlySet<string> {
  const frequency = (words: ReadonlySet<string>) =>
    [...words].reduce((sum, word) => sum + (FREQUENT.get(word) ?? DEFAULT_FREQUENCY), 0);
  return slots.map(({ words }) => words).reduce((a, b) => (frequency(b) < frequency(a) ? b : a));
}

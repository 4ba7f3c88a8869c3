import { letterWords, splitSentences, words } from '../_kit/text.ts';

/** Phrases with a negation or a word for trouble that report no trouble. */
const HARMLESS =
  /\b(?:no (?:problem(?! (?:of|with|in))|worries|need|further \w{1,20})|not only|(?:do not|don['’]?t|never) (?:worry|hesitate|forget)|without (?:any )?(?:further )?(?:issues?|problems?|errors?|trouble|failures?)|(?:no|zero|0) (?:issues?|problems?|errors?|failures?)|nothing (?:else|more|further)|thank(?:s| you) again|anything else|sorry to hear|(?:if|in case|should) you (?:\w{1,20} )?(?:have|need|want|run|encounter|notice|experience|face|like)\b[^.!?\n]{0,150}|let (?:me|us) know if (?:you|there|anything)\b[^.!?\n]{0,150}|(?:and|so) (?:it |they )?(?:will not|won['’]t) be \w{1,20})/gi;

/** The text without these phrases. */
export function withoutHarmless(text: string): string {
  return text.replace(HARMLESS, ' ');
}

/** A call or an act that did not happen, and apologies. */
const FAILS =
  /\b(?:(?:is|are|was|were|has|have|had|do|does|did|can|could)(?: (?:still|also|yet|currently|unfortunately))? not|(?:is|are|was|were|has|have|had|do|does|did|ca|could)n['’]?t|cannot|unfortunately|regrettably|sadly|sorry|i['’]m afraid|apolog(?:y|ies|i[sz]e)|all but|except|apart from|no longer)\b/gi;

/** Words for failures and for what caused them. */
const TROUBLE =
  /\b(?:unable|unsuccessful(?:ly)?|fail(?:s|ed|ing|ures?)?|errors?|issues?|problems?|troubles?|unavailable|unreachable|inaccessible|unreadable|undeliver\w{1,6}|unauthori[sz]ed|forbidden|invalid|refus(?:ed|es|al)|reject(?:ed|s|ion)?|declin(?:ed|es)|den(?:ied|ies)|blocked|down|missing|broken|crash(?:ed|es)?|time(?:d |-)?outs?|timed out|out of order|impossible|skip(?:ped|s)?|dead|gone|offline|corrupt(?:ed)?|damaged|defective|expired|locked|bounced|incomplete|omitted|left out|exceed(?:ed|s)?|suspended|revoked|interrupted|aborted|stuck|went wrong|wrong with)\b/gi;

const TOPIC_NOUN = /^(?:error|issue|problem|failure|trouble)s?$/i;
/** How a sentence says that one of these occurred. */
const OCCURS =
  /\b(?:an?|some|there (?:is|was|were|are)|encountered|ran into|hit|got|get|returned|raised?|occurred|due to|because of|faced) (?:\w{1,20} ){0,3}(?:errors?|issues?|problems?|failures?|troubles?)\b/i;

/** Words that are part of many sentences without a failure. */
const VAGUE =
  /\b(?:not|never|none|without|no|nothing|neither|nor|won['’]t|instead|another|different|again|retry|alternatives?|otherwise|however|but|although|though|only|[a-z]{2,6}n['’]t)\b/i;

/** Whether a text contains a vague word. */
export function isVague(text: string): boolean {
  return VAGUE.test(text);
}

/**
 * Whether a sentence of an English text speaks of a failure. A word that earlier texts of the run already use in the same
 * phrase is the topic of the run.
 * @param known words of the earlier texts, separated and surrounded by one space
 */
export function speaksOfFailure(text: string, known: string): boolean {
  return splitSentences(text).some((sentence) => {
    const found = [...sentence.matchAll(FAILS), ...sentence.matchAll(TROUBLE)];
    return found.some((match) => !isTopic(sentence, match, known));
  });
}

/** Whether a sentence with a name or an address of the failed call also contains a word for a failure or for an absence. */
export function speaksOfTarget(text: string, targets: readonly string[]): boolean {
  if (targets.length === 0) return false;
  return splitSentences(text).some(
    (sentence) =>
      targets.some((target) => sentence.includes(target)) &&
      (sentence.search(FAILS) >= 0 || sentence.search(TROUBLE) >= 0 || VAGUE.test(sentence)),
  );
}

function isTopic(sentence: string, match: RegExpExecArray, known: string): boolean {
  const [own] = match;
  if (TOPIC_NOUN.test(own) && hasStem(known, own)) return !OCCURS.test(sentence);
  const before = letterWords(sentence.slice(0, match.index)).at(-1) ?? '';
  const phrase = phraseFrom(own, sentence.slice(match.index + own.length));
  return (
    (phrase !== null && known.includes(` ${phrase} `)) ||
    (isContent(before) && known.includes(` ${before} ${own.toLowerCase()} `))
  );
}

function hasStem(known: string, noun: string): boolean {
  const stem = noun.toLowerCase().replace(/s$/, '');
  return known.includes(` ${stem} `) || known.includes(` ${stem}s `);
}

/** The word with the words after it up to the first one with a meaning of its own; null without such a word. */
function phraseFrom(own: string, rest: string): string | null {
  const next = words(rest.slice(0, 80)).slice(0, 3);
  const at = next.findIndex(isContent);
  return at < 0 ? null : [...words(own), ...next.slice(0, at + 1)].join(' ');
}

const MIN_CONTENT_LETTERS = 4;
const FUNCTION_WORDS = new Set(
  'with from that this have been were into your they them then when what some more very'.split(' '),
);

function isContent(word: string): boolean {
  return word.length >= MIN_CONTENT_LETTERS && !FUNCTION_WORDS.has(word);
}

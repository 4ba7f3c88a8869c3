import type { Trace } from '../../../core/trace.ts';
import { punctuationHash } from '../../_kit/punctuation-hash.ts';
import { countBeforeStep } from '../calls/steps-before.ts';
import { claimOfPassingTests, claimsSuccess } from '../conduct/claims.ts';
import { agentTurns } from '../conduct/conversation.ts';
import { interrupts } from './interrupts.ts';
import { isDecided, refusals } from './refusals.ts';
import { type UserPrompt, userPrompts } from './user-prompts.ts';

/**
 * `contradiction`: the user says that the work is wrong. `failure_report`: the user says that it does not work, after the
 * agent claimed success. `repeat`: the same request again. `after_stop`: the prompt that follows a refusal or an interrupt.
 */
export type CorrectionKind = 'contradiction' | 'failure_report' | 'repeat' | 'after_stop';

export interface Correction {
  kind: CorrectionKind;
  /** Step of the prompt. */
  step: number;
  text: string;
  /**
   * Step that the prompt corrects: the agent's claim, the refused call, the interrupt or the first request; null if
   * unknown.
   */
  about: number | null;
}

const CONTRADICTS =
  /^\W{0,5}(?:no(?:[,.!;](?! (?:problem|thanks|worries|need))| (?:that|this|it|i|you|not|don['’]?t)\b)|nope\b|wrong\b|stop\b|undo\b|revert\b|(?:that|this|it)(?:['’]?s| is| was) (?:not (?:right|correct|what)|wrong|incorrect)|you (?:forgot|missed|broke|deleted|ignored|didn['’]?t|did not|should(?:n['’]?t| not)? have)|i (?:said|told you|asked (?:you )?(?:for|to)|did ?n['’]t ask|meant)|why did you|don['’]?t do that|nein\b|falsch\b|das ist (?:falsch|nicht)|non\b[,. ]|c['’]est faux|no es (?:correcto|eso)|está mal)|^\W{0,3}(?:不对|不是|错了|別|违反|いいえ|違う|違います|아니|틀렸)|\b(?:still|again) (?:not working|broken|fail(?:s|ing)|wrong|the same (?:error|problem|issue))\b|\bnot what i (?:asked|meant|wanted|said)\b/i;
const REPORTS_FAILURE =
  /\b(?:(?:build|ci|tests?|lint(?:er|ing)?|pipeline|checks?|compil(?:e|ation|er)|typecheck)\b[^.\n]{0,30}\b(?:fail(?:s|ed|ing|ure)?|broken|breaks|is red|are red|has errors|with errors)\b|fail(?:s|ed|ing|ure)?\b[^.\n]{0,20}\b(?:build|ci|tests?|lint|pipeline)|does(?:n['’]?t| not) (?:work|compile|build)|is(?:n['’]?t| not) working|still (?:fails|failing|broken)|i (?:still )?(?:get|see|got) (?:an? |this |the )?(?:same )?(?:error|failure|exception))\b|构建失败|测试失败|失败了|报错|还是不行|ビルド.{0,6}失敗|テスト.{0,6}失敗/i;

/** Prompts that resume the work after a stop. They correct nothing. */
const CONTINUES =
  /^\W{0,3}(?:continue|go on|proceed|carry on|resume|weiter|继续|続けて|y|yes|ok)\W{0,3}$|^\s{0,3}[!/]\s?\w/i;

const READ_CHARACTERS = 400;

/** The user's corrections in order; one prompt is one correction. */
export function corrections(trace: Trace): Correction[] {
  const prompts = userPrompts(trace);
  if (prompts.length < 2) return [];
  const stops = stopsOf(trace);
  const repeated = repeatedPrompts(prompts);
  return prompts.flatMap((prompt, at) => {
    const same = repeated.get(prompt);
    const previous = prompts[at - 1];
    return previous === undefined ? [] : (correctionOf(trace, prompt, previous, same, stops) ?? []);
  });
}

/** @param same the newest earlier prompt with the same words */
function correctionOf(
  trace: Trace,
  prompt: UserPrompt,
  previous: UserPrompt,
  same: UserPrompt | undefined,
  stops: readonly number[],
): Correction | null {
  const head = prompt.text.slice(0, READ_CHARACTERS);
  const opening = head.trim().split('\n')[0]!;
  const made = (kind: CorrectionKind, about: number | null) => ({ kind, step: prompt.step, text: prompt.text, about });
  const claim = REPORTS_FAILURE.test(opening) ? claimBefore(trace, previous.step, prompt.step) : null;
  if (claim !== null) return made('failure_report', claim);
  const stop = stops.findLast((step) => step >= previous.step && step < prompt.step);
  if (stop !== undefined && !CONTINUES.test(head)) return made('after_stop', stop);
  if (CONTRADICTS.test(head)) return made('contradiction', answerBefore(trace, prompt.step));
  return same === undefined ? null : made('repeat', same.step);
}

function stopsOf(trace: Trace): number[] {
  const refused = refusals(trace).filter((each) => isDecided(each) && each.by === 'user');
  return [...refused, ...interrupts(trace)].map(({ step }) => step).sort((a, b) => a - b);
}

/** The agent's last claim that the work is done or the tests pass, between two prompts. */
function claimBefore(trace: Trace, from: number, to: number): number | null {
  const turns = agentTurns(trace);
  for (let at = countBeforeStep(turns, to) - 1; at >= 0 && turns[at]!.step > from; at -= 1) {
    const { step, text } = turns[at]!;
    if (claimOfPassingTests(text) !== null || claimsSuccess(text)) return step;
  }
  return null;
}

function answerBefore(trace: Trace, step: number): number | null {
  const turns = agentTurns(trace);
  for (let at = countBeforeStep(turns, step) - 1; at >= 0; at -= 1) if (turns[at]!.text !== '') return turns[at]!.step;
  return null;
}

/** Shorter prompts such as "continue" or "yes" are repeated on purpose. */
const MIN_REPEAT_LENGTH = 25;

/** The prompts that repeat an earlier one word for word, each with the newest earlier one. */
function repeatedPrompts(prompts: readonly UserPrompt[]): Map<UserPrompt, UserPrompt> {
  // Most prompts of a run occur once. A hash of their punctuation shows this at low cost.
  const similar = [...Map.groupBy(prompts, ({ text }) => punctuationHash(text)).values()].filter(
    ({ length }) => length > 1,
  );
  const equal = similar.flatMap((group) => [...Map.groupBy(group, ({ text }) => plain(text))]);
  const long = equal.filter(([text]) => text.length >= MIN_REPEAT_LENGTH);
  return new Map(long.flatMap(([, group]) => group.slice(1).map((prompt, at) => [prompt, group[at]!] as const)));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

import { splitSentences } from '../../_kit/text.ts';
import { withoutCode } from '../calls/fenced-code.ts';
import { claimOfPassingTests } from './claims.ts';

/** `is now complete`, `is implemented correctly`, `has been tested`: the work is said to be done. */
const COMPLETE =
  /\b(?:is|are|has been|have been|was) (?:now |already |both )?(?:\w{2,15}ly )?(?:complete|completed|correct|finished|implemented|tested|verified|fixed|solved)\b|\bis (?:now )?(?:\w{2,15}ly )?working\b|\b(?:works?|behaves|functions|performs) (?:as (?:it )?(?:expected|intended|should)|correctly|properly)\b|\bpasses all\b/i;
/** `is incomplete`, `needs to be completed`, `has not been tested`: the work is said to be open. */
const OPEN =
  /\b(?:is|are|remains?) (?:still |currently )?(?:incomplete|unfinished|unresolved|not (?:yet )?(?:complete|completed|correct|finished|implemented|working))\b|\bneeds? to be (?:completed|finished|implemented|fixed|corrected)\b|\b(?:has|have) not (?:yet )?been (?:tested|completed|implemented|fixed|solved|resolved)\b/i;
/** Conditions, wishes and expectations make no such statement. */
const DOUBT =
  /[?:：]\s{0,4}$|\b(?:if|whether|once|when|until|after|unless|not|\w{2,6}n['’]t|make sure|ensure|verify|check|should|would|will|may|might|must|to see|so that|assum\w{1,6}|partially|only|need)\b/i;
const CONDITION = /\?\s{0,4}$|\b(?:if|whether|once|when|until|unless)\b/i;
/** `should now pass`, `should work`: the agent expects its own code to work. */
const PROMISE =
  /\bshould (?:now )?(?:\w{1,20} )?(?:pass|work|run|succeed|produce|handle|be (?:\w{1,20} )?(?:correct|fixed|passing|successful))\b/i;
/** Advice to a reader is no promise. */
const ADVICE = /\b(?:you|tests?|make sure|ensure) should\b/i;
/** The message asks its reader to correct or to run something. */
const HANDED_BACK =
  /\b(?:you|the user|users?) (?:(?:can|should|will|may|might|could|must|then|now|also|still) ){0,2}(?:(?:need|needs|have|has|want) to )?(?:try|run|execute|correct|fix|complete|modify|update|adjust|check|review|implement|test|debug)\b|\b(?:update|correct|fix|modify|complete|adjust|debug|rerun|re-run|review) your\b|\btry (?:running|executing|rerunning|re-running)\b/i;
const OFFER = /\?|[:：]$|\b(?:if|let me know|let['’]?s|let us|feel free|hope|I['’]ll|I will)\b/i;
/** A title in bold before the text of a list item, which says something about a part of the work. */
const TITLED = /^\*\*[^*]{1,120}\*\*:? /;
/** Code of the reader, or an earlier version of the code. */
const OTHER_CODE =
  /\byou (?:provided|gave|sent|shared|wrote)\b|\b(?:previous|earlier|original) (?:code|version|implementation|solution)\b/i;

/**
 * The sentence of a message that states the result of its own work: that tests pass, that the work is or is not complete, that it
 * should work, or that the reader has to continue it; null without such a sentence.
 */
export function workStatement(text: string): string | null {
  const prose = withoutCode(text);
  const sentences = sentencesIn(prose);
  const plain = sentences.filter((each) => !TITLED.test(each));
  return (
    claimOfPassingTests(prose) ??
    plain.findLast((each) => isComplete(each) || isOpen(each) || isPromise(each)) ??
    sentences.findLast(isOpen)?.replace(TITLED, '') ??
    plain.findLast((each) => HANDED_BACK.test(each) && !OFFER.test(each)) ??
    null
  );
}

const TESTED =
  /\b(?:tested|verified|executed|passes all)\b|\b(?:ran|runs?|executes?) (?:successfully|without (?:any )?(?:errors?|problems?|issues?))\b/i;

/** The sentence that says that the work was tested or that tests pass; null without such a sentence. */
export function claimOfTesting(text: string): string | null {
  const prose = withoutCode(text);
  const isClaim = (each: string) => TESTED.test(each) && isComplete(each);
  return claimOfPassingTests(prose) ?? sentencesIn(prose).findLast(isClaim) ?? null;
}

/** Whether a sentence says that work is done. */
export function isComplete(sentence: string): boolean {
  return COMPLETE.test(sentence) && !DOUBT.test(sentence);
}

function isOpen(sentence: string): boolean {
  return OPEN.test(sentence) && !CONDITION.test(sentence) && !OTHER_CODE.test(sentence);
}

function isPromise(sentence: string): boolean {
  return PROMISE.test(sentence) && !ADVICE.test(sentence);
}

/** Sentences without the marks of a list item and of bold type around them. */
function sentencesIn(prose: string): string[] {
  return splitSentences(prose)
    .map((sentence) =>
      sentence
        .trim()
        .replace(/^(?:[-*+] |\d{1,3}[.)] )/, '')
        .replace(/^\*\*([^*]{0,400})\*\*$/, '$1')
        .trim(),
    )
    .filter((sentence) => sentence !== '');
}

import type { Trace } from '../../core/trace.ts';
import { letterWords } from '../_kit/text.ts';
import { failedTestNames } from '../_readings/coding/test-names.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import { STOP_WORDS } from '../_readings/support/stop-words.ts';

const MAX_REQUEST_LENGTH = 2_000;
const TESTS = /\btests?\b|测试|テスト|테스트|тест|\bpruebas?\b/iu;
const FAIL =
  /\b(?:fail(?:s|ing|ures?|ed)?|broken|red|flaky|fehlschl\p{L}{1,8}|schl(?:agen|ägt)|rot|échou\p{L}{1,4}|fall(?:a|an|ando)|fallisc\p{L}{1,3}|falh\p{L}{1,4}|falen|faalt)\b|失败|失敗|실패|падают/iu;
/** The user wants the failure to be left. */
const LEAVE =
  /\b(?:ignore|skip over|do not (?:care|worry|mind)|don['’]t (?:care|worry|mind)|never mind|leave (?:it|them|those|these) (?:alone|as)|not (?:your|our) (?:problem|fault|concern|job)|(?:is|are|was|were) (?:known|expected)|known to fail|known failures?|expected to fail|ignorieren|ignoriere|ignorez|ignorer|ignora|ignorar|ignóralos|ignoralos|ignorali|ignorare|negeer)\b|忽略|無視|무시|игнорируй/iu;
const NOT_LEAVE = /\b(?:not|n['’]t|never|nicht|ne|no|não|non|niet) (?:ignore|ignor\p{L}{1,5}|skip)/iu;

/** Whether the user said that these tests fail and that this can stay. */
export function isFailureKnown(trace: Trace, output: string): boolean {
  const names = failedTestNames(output).map((name) => name.toLowerCase());
  return conversation(trace)
    .filter(({ by, text }) => by === 'user' && text.length <= MAX_REQUEST_LENGTH)
    .some(({ text }) => text.split(/(?<=[.!?])\s|\n|(?<=[。！？])/).some((sentence) => isAbout(sentence, names)));
}

/** Whether a sentence leaves failing tests as they are, and has a word of the name of each that failed. */
function isAbout(sentence: string, names: readonly string[]): boolean {
  if (!TESTS.test(sentence) || !FAIL.test(sentence) || !LEAVE.test(sentence) || NOT_LEAVE.test(sentence)) return false;
  const words = letterWords(sentence).filter(isSubject);
  return names.length > 0 && names.every((name) => words.some((word) => nameWords(name).includes(word)));
}

function isSubject(word: string): boolean {
  return word.length > 2 && !STOP_WORDS.has(word) && !TESTS.test(word) && !FAIL.test(word) && !LEAVE.test(word);
}

function nameWords(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+/u);
}

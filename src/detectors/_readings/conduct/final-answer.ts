/** Numbers that agents give as their answer: in `\boxed{}` or after "final answer:". */
const ANSWER =
  /\\?boxed\{[\s$\\]{0,4}(-?[\d.,]{1,30})[\s\\%$]{0,4}\}|\bfinal answer(?: is)?:? {0,2}[$\\]{0,2}(-?\d[\d.,]{0,30})/gi;

/** Only the end of a text is searched for the answer. */
const READ_CHARACTERS = 1500;

export interface NumberAnswer {
  text: string;
  value: number;
}

/** The last number that a text gives as its answer; null if it gives no number. */
export function numberAnswer(answer: string): NumberAnswer | null {
  const end = answer.slice(-READ_CHARACTERS);
  if (!/boxed|final answer/i.test(end)) return null;
  const found = [...end.matchAll(ANSWER)].at(-1);
  const text = found?.[1] ?? found?.[2];
  const value = text === undefined ? null : numberIn(text);
  return text === undefined || value === null ? null : { text, value };
}

/** A number with thousands separators; null if the text is not a number. */
function numberIn(text: string): number | null {
  const value = Number(text.replace(/,/g, '').replace(/\.$/, ''));
  return text.trim() === '' || Number.isNaN(value) ? null : value;
}

/** Whether two numbers are equal except for rounding. Whole numbers are compared exactly. */
export function isSameNumber(a: number, b: number): boolean {
  if (Number.isInteger(a) && Number.isInteger(b)) return a === b;
  return Math.abs(a - b) <= 0.006 * Math.max(1, Math.abs(b));
}

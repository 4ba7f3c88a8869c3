import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, recordedWord } from '../_kit/completeness.ts';
import { counted, cut, joined, oneLine } from '../_kit/text.ts';
import { type Attempt, attemptsIn } from '../_readings/conduct/attempts.ts';
import { agentTurns, conversation } from '../_readings/conduct/conversation.ts';
import { isNegativeResult } from '../_readings/conduct/negative-result.ts';
import { changesBetween, isConstantCheck, type Probe, probes } from '../_readings/conduct/probes.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';
import { needsAnswer } from './abandoned-run.ts';
import { negativeCheckRule } from './manifest.ts';
import type { Verdict } from './verdict.ts';

/** Words that say that a state lasts. */
const STILL =
  /\b(?:still|remains?|continues?|loss|lost)\b|(?<!\p{L})(?:weiterhin|immer noch|noch immer|toujours|encore|sigue|todavía|aún|continua|ainda|nadal|wciąż|по-прежнему|всё ещё|все еще)(?!\p{L})|仍|依然|还是|まだ|引き続き/iu;
/** Words that say that something works, in nine languages. In another language an answer that mentions trouble could not be read. */
const WORKS =
  /\b(?:online|works?|working|up and running|reachable|fixed|resolved|solved|restored|repaired|connected|normal(?:ly)?|available|healthy|success\w{0,6})\b|(?<!\p{L})(?:erreichbar|funktioniert|läuft|behoben|repariert|verbunden|erfolgreich|en ligne|fonctionne|réparée?|résolue?|rétablie?|joignable|vuelve a|funciona|en línea|resuelt[oa]|reparad[oa]|restablecid[oa]|conectad[oa]|resolvid[oa]|voltou|działa|dostępn[yae]|naprawion[yae]|połączon[yae]|в сети|работает|исправлен[оа]?|восстановлен[оа]?|подключен[оа]?)(?!\p{L})|恢复|在线|正常|修复|解决|オンライン|復旧|動作してい|修復|解決/iu;
const QUESTION = /[?？؟]/u;

/**
 * A check returned the same negative result before the first and after the last change, and the answer of the run says that
 * something works and mentions no trouble. Commands are left to `loop` and `quality_gate`.
 */
export function negativeCheck(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error' || !needsAnswer(trace)) return null;
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || answer.calls.length > 0) return null;
  if (mentionsTrouble(answer.text) || !WORKS.test(answer.text)) return null;
  const attempts = attemptsIn(trace);
  const found = probes(trace).find((probe) => isLeftNegative(trace, probe));
  if (found === undefined || attempts.at(-1)!.step > answer.step) return null;
  // The user may have said after the check that it works.
  const isTold = conversation(trace).some(({ by, step }) => by === 'user' && step > found.runs.at(-1)!.step);
  return isTold ? null : verdictOf(trace, attempts, found, answer);
}

function isLeftNegative(trace: Trace, probe: Probe): boolean {
  const [first] = probe.runs;
  return first.command === null && isNegativeResult(first.result) && isConstantCheck(trace, probe, () => false);
}

function mentionsTrouble(text: string): boolean {
  return (
    text.trim() === '' || QUESTION.test(text) || hasReservation(text) || isNegativeResult(text) || STILL.test(text)
  );
}

function verdictOf(
  trace: Trace,
  attempts: readonly Attempt[],
  { runs, at }: Probe,
  answer: { step: number; agent: string | null; text: string },
): Verdict {
  const [first] = runs;
  const last = runs.at(-1)!;
  const changes = changesBetween(attempts, first, at[0]!, at.at(-1)!);
  const tools = joined([...new Set(changes.map(({ by }) => by))].slice(0, 3));
  const result = cut(oneLine(last.result), 120);
  const who = answer.agent ?? 'the agent';
  return {
    subtype: 'negative_check_omitted',
    score: 0.7,
    step: answer.step,
    steps: [last.step, ...runs.slice(0, -1).map(({ step }) => step), answer.step],
    agent: answer.agent,
    explanation: `${last.by} returned the same in all ${runs.length} ${recordedWord(trace)}calls, from step ${first.step} to step ${last.step}: "${result}". Between them the run made ${counted(changes.length, 'call')} that can change something (${tools}). The answer at step ${answer.step} mentions no trouble: "${cut(oneLine(answer.text), 160)}".`,
    suggestedAction: `Have ${who} continue, or say in the answer that ${last.by} returns "${result}".`,
    evidence: [
      { kind: 'text', step: last.step, path: 'tool.result', quote: last.result.trim() },
      { kind: 'text', step: answer.step, path: 'output', quote: answer.text.trim() },
    ],
    fix: checkFix('workflow_change', {
      title: `Compare the answer with the last result of ${last.by}`,
      target: `stop condition of ${who}`,
      description: `Before the run may end, look at the last result of ${last.by}. If it is still negative, have the agent continue or state it in the answer.`,
      after: `on end: if the last result of ${last.by} is negative, continue, or require that the answer states it`,
      why: 'The check returned the same before and after the changes, and the answer does not say so.',
    }),
    key: last.by,
    promptRule: () => negativeCheckRule(last.by),
  };
}

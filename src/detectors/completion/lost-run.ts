import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut, lettersAndDigits, oneLine } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { Verdict } from './verdict.ts';

/** A line that says only that the run is lost, without spaces, punctuation and symbols. */
const LOST =
  /^(?:gameover)?(?:you(?:have)?(?:lost|lose|died|failed)|youaredead|(?:the)?(?:task|mission|level|quest|episode)(?:has|was)?(?:failed|lost)|duhastverloren|aufgabe(?:fehlgeschlagen|gescheitert)|tuasperdu|vousavezperdu|hasperdido|haiperso|vocêperdeu|выпроиграли|你输了|任务失败|ゲームオーバー)$/u;
/** A longer line says more. */
const MAX_LINE = 80;
const OVER = /^(?:is_?)?(?:done|terminated|game_?over|finished|episode_?over)$/i;
const WON = /^(?:is_?)?(?:won|win|success|solved|passed|task_?(?:success|completed))$/i;
/** The end of a result that is read. */
const READ_CHARACTERS = 2_000;

/** The run ends on a result in which the environment states that the task is lost. An answer after it explains the end. */
export function lostRun(trace: Trace): Verdict | null {
  const use = toolUses(trace).at(-1);
  if (use === undefined || use.command !== null || !hasKnownEnd(trace)) return null;
  const isAnswered = trace.steps.some(
    ({ index, kind, output }) => index > use.step && (kind === 'llm' || kind === 'message') && output.trim() !== '',
  );
  const statement = isAnswered ? null : lossIn(use);
  return statement === null ? null : verdictOn(trace, use, statement);
}

function lossIn({ resultText }: ToolUse): string | null {
  return lostFlags(parseJson(resultText)) ?? lostLine(resultText);
}

function lostLine(text: string): string | null {
  const lines = text.slice(-READ_CHARACTERS).split('\n');
  const line = lines.find((each) => each.length <= MAX_LINE && LOST.test(lettersAndDigits(each)));
  return line === undefined ? null : line.trim();
}

/** `done: true, success: false` */
function lostFlags(result: Json | undefined): string | null {
  if (result === undefined || !isJsonObject(result)) return null;
  const over = Object.entries(result).find(([name, value]) => value === true && OVER.test(name));
  const won = Object.entries(result).find(([name, value]) => value === false && WON.test(name));
  return over === undefined || won === undefined ? null : `${over[0]}: true, ${won[0]}: false`;
}

/** The statement as the result contains it: flags are quoted with the rest of the object. */
function quoteOf({ resultText }: ToolUse, statement: string): string {
  return cut(resultText.includes(statement) ? statement : resultText, 200);
}

function verdictOn(trace: Trace, use: ToolUse, statement: string): Verdict {
  const who = use.agent ?? trace.steps[use.step]!.name;
  return {
    subtype: 'ended_lost',
    score: 0.7,
    step: use.step,
    steps: [use.step],
    agent: use.agent,
    explanation: `The run ends at step ${use.step} on the result of ${use.name}, which states that the task is lost: "${cut(oneLine(statement), 120)}".`,
    suggestedAction: `Compare the last calls of ${who} with the task: the call at step ${use.step} ended it.`,
    evidence: [{ kind: 'text', step: use.step, path: 'tool.result', quote: quoteOf(use, statement) }],
    fix: checkFix('workflow_change', {
      title: 'Handle runs that the environment ends as lost',
      target: `what follows ${use.name}`,
      description: `Read the verdict in the result of ${use.name}, record the run as failed, and start another attempt with the last calls and the verdict in its instructions.`,
      after: `if the result contains ${JSON.stringify(cut(oneLine(statement), 60))}: record a failure, and start another attempt or notify a person`,
      why: 'The result says that the goal was not reached, and the run counts as finished.',
    }),
    key: use.name,
  };
}

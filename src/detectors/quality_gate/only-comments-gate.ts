import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, cut, joined, oneLine } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { isCommentLine, isDirective } from '../_readings/coding/comment-lines.ts';
import { type EditedLines, editedLines } from '../_readings/coding/edited-lines.ts';
import { isRejectedEdit } from '../_readings/coding/rejected-edits.ts';
import { diffedFiles } from '../_readings/coding/unified-diff.ts';
import { isFileEdit } from '../_readings/conduct/call-acts.ts';
import { isCodeFile } from '../_readings/conduct/code-file.ts';
import { codingWork } from '../_readings/conduct/coding-work.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';
import type { GateGap } from './gap.ts';

/** Words for comments, documents and layout: what such an edit may be for. */
const ABOUT_COMMENTS = [
  /\b(?:comment|docs?\b|docstring|document|jsdoc|javadoc|typos?\b|spelling|wording|licen[cs]e|headers?\b|format|white ?space|indent|blank line|lint|style|todo|note\b)/i,
  /(?<!\p{L})(?:kommentar|kommentier|dokument|tippfehler|leerzeile|formatier|coment|document|errata|komentarz|skomentuj|literów|коммент|документ|опечат|формат)/iu,
  /注释|文档|格式|拼写|コメント|ドキュメント|書式|誤字/u,
];
const QUESTION = /[?？؟]/u;

/**
 * Every edit of the run changes only comments or blank lines of code, and the run ends with an answer without a negation. Not
 * reported if the request or the answer speaks of comments, documents or layout.
 */
export function onlyCommentsGap(trace: Trace): GateGap | null {
  const edits = editsOf(trace);
  const last = edits.at(-1);
  if (last === undefined) return null;
  const turns = conversation(trace);
  const answer = turns.findLast(({ by }) => by === 'agent');
  if (!isWhole(trace) || trace.status === 'error' || answer === undefined || !isAnswer(answer)) return null;
  if ((toolUses(trace).at(-1)?.step ?? 0) > answer.step) return null;
  const requests = [trace.task ?? '', ...turns.filter(({ by }) => by === 'user').map(({ text }) => text)];
  if (requests.join('').trim() === '' || requests.some((text) => isAboutComments(text))) return null;
  const changes = edits.map(({ use }) => editedLines(use));
  if (!changes.every((change) => change?.every(changesOnlyComments))) return null;
  return isShownOtherwise(trace, last.use) ? null : gapOf(trace, edits, changes.flat() as EditedLines[], answer);
}

function isAnswer({ text, calls }: ConversationTurn): boolean {
  return (
    calls.length === 0 && text.trim() !== '' && !QUESTION.test(text) && !isAboutComments(text) && !hasReservation(text)
  );
}

function isAboutComments(text: string): boolean {
  return ABOUT_COMMENTS.some((form) => form.test(text));
}

interface Edit {
  use: ToolUse;
}

/** The calls that may have changed a file, apart from rejected ones. A command shows no lines. */
function editsOf(trace: Trace): Edit[] {
  return codingWork(trace).filter(
    ({ kind, use }) =>
      (kind === 'edit' || kind === 'submit' || isFileEdit(use)) &&
      use.refusal === null &&
      !use.isError &&
      !isRejectedEdit(trace, use),
  );
}

/** Whether statements stay the same and in their order. A comment that a tool reads is a change. */
function changesOnlyComments({ path, before, after }: EditedLines): boolean {
  const isComment = (line: string) => isCommentLine(line, path);
  const kept = (lines: readonly string[]) => lines.filter((line) => !isComment(line)).join('\n');
  const isChanged = before.join('\n') !== after.join('\n');
  return (
    isCodeFile(path) &&
    isChanged &&
    kept(before) === kept(after) &&
    ![...before, ...after].some((line) => isComment(line) && isDirective(line))
  );
}

/** Whether a diff that was printed after the edits has a statement. */
function isShownOtherwise(trace: Trace, last: ToolUse): boolean {
  return toolUses(trace)
    .filter(({ step }) => step > last.step)
    .flatMap(({ resultText }) => diffedFiles(resultText))
    .some(({ path, added, removed }) => [...added, ...removed].some((line) => !isCommentLine(line, path)));
}

function gapOf(
  trace: Trace,
  edits: readonly Edit[],
  changes: readonly EditedLines[],
  answer: ConversationTurn,
): GateGap {
  const { use } = edits.at(-1)!;
  const paths = joined([...new Set(changes.map(({ path }) => path))].slice(0, 3));
  const line = changes.flatMap(({ after }) => after).find((each) => each.trim() !== '' && isCommentLine(each));
  const who = answer.agent ?? trace.steps[answer.step]!.name;
  const shown = line === undefined ? '' : ` ("${cut(line.trim(), 80)}")`;
  return {
    subtype: 'only_comments',
    score: 0.7,
    step: use.step,
    steps: [...edits.map((edit) => edit.use.step), answer.step],
    agent: use.agent,
    explanation: `The run made ${counted(edits.length, 'edit')} (${paths}), the last with ${use.name} at step ${use.step}, and every line that differs is blank or a comment${shown}: no statement is different. The answer at step ${answer.step} says "${cut(oneLine(answer.text), 160)}".`,
    suggestedAction: `Have ${who} change the statements of ${changes[0]!.path} that the task is about, or say in the answer that only comments differ.`,
    evidenceStep: use.step,
    quote: line?.trim() ?? paths,
    path: 'tool.arguments',
    key: use.name,
    fix: checkFix('workflow_change', {
      title: 'Do not accept an answer while no statement is changed',
      target: `stop condition of ${who}`,
      description:
        'Before the run may end, look at the diff without comments and blank lines, and send the agent back when nothing is left.',
      after: 'on end: if the diff without comments and blank lines is empty, continue with "no statement is changed"',
      why: 'The edits of the run change no statement, whatever the answer says.',
    }),
  };
}

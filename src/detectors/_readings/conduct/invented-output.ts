import type { Trace } from '../../../core/trace.ts';
import { cut, stepsText } from '../../_kit/text.ts';
import { toolUses } from '../calls/calls.ts';
import { codeBlocks } from '../calls/fenced-code.ts';
import { agentTurns, conversation } from './conversation.ts';
import { testRunLine } from './test-output.ts';

/** Output of a test run in the message of an agent that no tool and no runner returned before. */
export interface InventedOutput {
  step: number;
  /** The line that sums the test run up. */
  line: string;
}

const MAX_LINE_LENGTH = 100;
const CODE = /^[ \t]{0,40}(?:def|class|import|from|function|func|fn|const|let|var|print|assert)\b/m;

/** One for each message that shows such output, in order. */
export function inventedOutputs(trace: Trace): InventedOutput[] {
  return agentTurns(trace).flatMap(({ step, text }) => {
    const lines = codeBlocks(text)
      .filter((block) => !CODE.test(block))
      .flatMap((block) => testRunLine(block) ?? []);
    const line = lines.find((each) => !isReturnedBefore(trace, step, each));
    return line === undefined ? [] : [{ step, line: cut(line, MAX_LINE_LENGTH) }];
  });
}

function isReturnedBefore(trace: Trace, before: number, line: string): boolean {
  return (
    toolUses(trace).some(({ step, resultText }) => step < before && resultText.includes(line)) ||
    conversation(trace).some(({ by, step, text }) => by !== 'agent' && step < before && text.includes(line))
  );
}

/** One sentence with a leading space; empty if every shown output is from a tool. */
export function inventedText(outputs: readonly InventedOutput[]): string {
  if (outputs.length === 0) return '';
  const steps = stepsText(outputs.map(({ step }) => step));
  return ` ${outputs.length === 1 ? 'The message' : 'The messages'} at ${steps} ${outputs.length === 1 ? 'shows' : 'show'} output that no tool produced ("${outputs[0]!.line}").`;
}

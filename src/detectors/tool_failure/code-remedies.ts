import type { StackFrame } from '../../core/trace.ts';
import { type FailedCall, quoteOf } from './failed-call.ts';
import type { Failure } from './failure.ts';
import { handlingFix } from './handling-fix.ts';
import { faultOfProgram, lineOfProgram, raisedAt } from './raised-at.ts';
import { fixOf, type Remedy } from './remedy.ts';

/** A tool or node whose code raised the error. */
export function codeRemedy({ trace, failure }: FailedCall): Remedy {
  const { name, step } = failure;
  const frame = raisedAt(trace, failure);
  const quoted = quoteOf(failure);
  const fault = frame === null ? `the code that raises ${quoted}` : faultOfProgram(frame, quoted);
  return {
    action: `Call ${name} with the input of step ${step} in a test, and correct ${fault}.`,
    fixes: [
      fixOf(name, {
        fixType: 'tool_change',
        title: `Correct the code of ${name}`,
        description: `Reproduce the call with the same input, correct ${frame === null ? `the line of ${name} that raises the error` : lineOfProgram(frame)}, and add a test with this input.`,
        rationale: 'The error comes from inside the code, not from a check of the arguments or from a service.',
        change: 'A test that calls it with this input and expects a result or a clear error message.',
      }),
    ],
  };
}

/** A model call has no code of its own: the error was raised in the client or in the program around it. */
export function clientErrorRemedy(call: FailedCall): Remedy {
  const { trace, failure } = call;
  const { name, agent, step } = failure;
  const { spanId, error } = trace.steps[step]!;
  const frame = raisedAt(trace, failure);
  if (frame !== null) return programRemedy(failure, frame);
  const isStackRecorded = error?.isStackRecorded === true;
  const stack = isStackRecorded
    ? `The stack of ${quoteOf(failure)} is in the exception event of span ${spanId}: correct the line of the program around that call that it names.`
    : `Record the stack of this error on the span of step ${step}: ${quoteOf(failure)} was raised in the client or in the program around that call, and the trace does not show where.`;
  return {
    action: `Catch the error around the call to ${name}${agent === null ? '' : ` in ${agent}`}, and end the run with a message that names it. ${stack}`,
    fixes: [
      handlingFix(call, {
        title: isStackRecorded
          ? `Correct the program around the call to ${name}`
          : `Record the stack of the error of ${name}`,
        description: `${stack} Catch the error there, and end the run with a message that names it.`,
        rationale: 'The error is one of the client or of the program that makes the call, not of the model.',
        change: isStackRecorded
          ? undefined
          : `around the call to ${name}: record the exception with its stack on the span, then end the run with a message that names it`,
      }),
    ],
  };
}

/** The stack shows the line around a model call that raised the error. */
function programRemedy(failure: Failure, frame: StackFrame): Remedy {
  const action = `Correct ${faultOfProgram(frame, quoteOf(failure))}.`;
  const fix = fixOf(frame.file, {
    fixType: 'workflow_change',
    title: `Correct the program around the call to ${failure.name}`,
    description: action,
    rationale: 'The error is one of the client or of the program that makes the call, not of the model.',
    change: `${lineOfProgram(frame)}: no longer raises the error`,
  });
  return { action, fixes: [fix] };
}

import { readCalibration } from '../_kit/calibration.ts';
import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';
import calibration from './calibration.generated.json' with { type: 'json' };

export const toolProvisionManifest = defineManifest({
  type: 'tool_provision',
  title: 'Inadequate tool provision',
  failureModes: ['F4'],
  needs: ['steps', 'text'],
  calibration: readCalibration(calibration),
  evaluation: { runsWith: ['calls'], isCalibratedByOutcome: true },
  subtypes: {
    unknown_tool: {
      title: 'A tool was called that does not exist',
      impact: 'warning',
      businessImpact: 'The step that needed the tool was not carried out.',
      maturity: fact('The runtime rejected the call because no such tool is offered.'),
      promptRule: ({ what }) => `Call only tools that you were given; ${what} is none of them.`,
    },
    missing_tool: {
      title: 'The agent says that it lacks a tool',
      impact: 'warning',
      businessImpact: 'The request cannot be completed with the tools that the agent has.',
      maturity: preview,
      promptRule: () =>
        'When you lack a tool for a task, say so at once and hand the task over instead of trying without it.',
      runsWith: ['answer'],
    },
    call_written_as_text: {
      title: 'A call was written as text and not made',
      impact: 'warning',
      businessImpact:
        'The call was not made: its result is missing, and the next reader sees a call instead of an answer.',
      maturity: fact(
        'The message ends with a call of a tool of the run as text, and the trace contains no such call after it.',
      ),
      promptRule: () => 'Call tools through the tool interface only: a call written into your text has no effect.',
      runsWith: ['declared_tools'],
    },
    result_written_as_text: {
      title: 'The model wrote the result of a call itself',
      impact: 'warning',
      businessImpact: 'What follows depends on a result that no tool returned.',
      maturity: fact(
        'One answer contains a call and its result. The trace contains no such call, and no earlier text contains the result.',
      ),
      promptRule: () => 'End your turn after a call. Never write the result of a call yourself.',
    },
    claimed_tool_use: {
      title: 'Claimed to have used a tool that never ran',
      impact: 'warning',
      businessImpact: 'The answer depends on a result that does not exist.',
      maturity: preview,
      promptRule: () => 'Say that you used a tool only if this conversation contains its result.',
      runsWith: ['declared_tools'],
    },
  },
});

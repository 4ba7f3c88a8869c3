import { defineDetector } from '../_kit/define.ts';
import { findCallLoops } from './call-loops.ts';
import { findMessageLoops } from './message-loops.ts';
import { findRecursionLimit } from './recursion-limit.ts';

const WASTE = 'Time and tokens are spent on steps that bring nothing new, while the user waits.';

export const loop = defineDetector({
  type: 'loop',
  title: 'Loop',
  failureModes: ['F3', 'FM-1.3'],
  needs: ['steps'],
  subtypes: {
    recursion_limit: {
      title: 'Run stopped at its step limit',
      impact: 'critical',
      businessImpact: 'The run ended without a result after spending its whole budget of steps.',
      failureModes: ['FM-1.5'],
    },
    cyclic: { title: 'Steps repeat in a cycle', impact: 'critical', businessImpact: WASTE },
    exact_repetition: { title: 'The same call repeated in a row', impact: 'critical', businessImpact: WASTE },
    stalled: { title: 'The same call repeated without progress', impact: 'critical', businessImpact: WASTE },
    retry_storm: {
      title: 'Retries of a call that keeps failing the same way',
      impact: 'critical',
      businessImpact: WASTE,
    },
    repeated_fault: {
      title: 'The same mistake in calling a tool, again and again',
      impact: 'warning',
      businessImpact: WASTE,
    },
    rephrasing: { title: 'The same search in different words', impact: 'warning', businessImpact: WASTE },
    message_repetition: { title: 'An agent repeats the same message', impact: 'warning', businessImpact: WASTE },
  },
  detect(trace, options, report) {
    const cutOff = findRecursionLimit(trace, options);
    if (cutOff !== null) report(cutOff);
    for (const finding of findCallLoops(trace, options)) report(finding);
    // The cut-off run already names the cycle of nodes that its messages show again.
    for (const finding of findMessageLoops(trace, options)) if (cutOff === null) report(finding);
  },
});

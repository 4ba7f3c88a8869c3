import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';

export const workflowDesignManifest = defineManifest({
  type: 'workflow_design',
  title: 'Workflow design',
  failureModes: ['F5'],
  needs: ['steps'],
  evaluation: { runsWith: ['graph'], isConstructedOnly: true },
  subtypes: {
    unreachable_node: {
      title: 'No declared path leads to a node',
      impact: 'warning',
      businessImpact: 'Work that the workflow contains may never be done.',
      maturity: fact('No edges of the declared graph lead to the node, and it did not run.'),
      promptRule: null,
    },
    dead_end: {
      title: 'A path stops before the end of the workflow',
      impact: 'warning',
      businessImpact: 'Runs that take this path stop without an answer.',
      maturity: preview,
      promptRule: null,
    },
    cycle_without_exit: {
      title: 'A cycle has no exit',
      impact: 'critical',
      businessImpact: 'Runs repeat the cycle until a limit stops them, and every round costs money.',
      maturity: fact('No edge of the declared graph leads out of the cycle.'),
      promptRule: null,
    },
    dangling_route: {
      title: 'Control was sent to a node that the run does not have',
      impact: 'critical',
      businessImpact: 'The work that was handed over may not be done, although the run looks complete.',
      maturity: fact('A recorded route names a node that neither the declared graph nor the run has.'),
      promptRule: null,
      runsWith: ['routes'],
    },
    after_end: {
      title: 'A node ran after the end',
      impact: 'warning',
      businessImpact: 'Work continues after the result was final, and may change it.',
      maturity: fact('A step is recorded after the step that ended the run.'),
      promptRule: null,
      runsWith: ['routes'],
    },
    unhandled_error: {
      title: 'A failure bypassed its handler',
      impact: 'warning',
      businessImpact: 'The fallback that was built for this failure did not run.',
      maturity: preview,
      promptRule: null,
      nodeRemedy: 'error_output',
      runsWith: ['graph', 'failed_calls'],
    },
    conflicting_writes: {
      title: 'Parallel branches overwrote each other',
      impact: 'critical',
      businessImpact: "One branch's result is lost, and which one changes from run to run.",
      maturity: fact('Parallel steps left different values in one field, and the state after them has one of the two.'),
      promptRule: null,
      runsWith: ['states'],
    },
    no_error_handling: {
      title: 'No error handling for a service',
      impact: 'warning',
      businessImpact:
        'When the service fails or rejects the call once, the work is dropped without a message to anyone.',
      maturity: fact('The workflow declares neither a retry nor an error path for this service.'),
      promptRule: null,
      nodeRemedy: 'retry_and_error_output',
    },
    missing_field: {
      title: 'A node asks for a field that its data does not have',
      impact: 'warning',
      businessImpact: 'The node works with an empty value: wrong messages, addresses or records, and no error.',
      maturity: fact("The step's settings name a field that none of its recorded items has."),
      promptRule: null,
    },
  },
});

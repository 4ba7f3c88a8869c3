import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';

export const stateCorruptionManifest = defineManifest({
  type: 'state_corruption',
  title: 'State corruption',
  failureModes: [],
  needs: ['states'],
  evaluation: { runsWith: ['states'], isConstructedOnly: true },
  subtypes: {
    type_change: {
      title: 'A state field changed its type',
      impact: 'warning',
      businessImpact: 'Later nodes that expect the earlier type fail, or give wrong results without failing.',
      maturity: fact('Two recorded states contain values of different types in the same field.'),
      promptRule: null,
    },
    field_vanished: {
      title: 'A state field was lost',
      impact: 'critical',
      businessImpact:
        'A result of earlier work is gone: a later node that needs it repeats the work or acts without it.',
      maturity: fact('A field is in one recorded state and is missing from the next full one.'),
      promptRule: null,
    },
    field_nulled: {
      title: 'A state field was set to null',
      impact: 'warning',
      businessImpact: 'Later nodes behave as if the value were unknown.',
      maturity: preview,
      promptRule: null,
    },
    counter_regression: {
      title: 'A counter went down',
      impact: 'warning',
      businessImpact:
        'An update was lost, or an old state replaced a newer one; limits that depend on the counter no longer hold.',
      maturity: preview,
      promptRule: null,
    },
    bounds: {
      title: 'A value is outside its range',
      impact: 'warning',
      businessImpact: 'Decisions and amounts computed from the value may be wrong.',
      maturity: fact(
        'A number of the state became NaN or infinite, or left the range that all its earlier values kept.',
      ),
      promptRule: null,
    },
    list_shrunk: {
      title: 'A history list lost entries',
      impact: 'warning',
      businessImpact: 'The agent continues without part of what was said or done.',
      maturity: preview,
      promptRule: null,
    },
    stale_checkpoint: {
      title: 'A run continued from an older checkpoint',
      impact: 'critical',
      businessImpact: 'Work after that checkpoint is missing or is done twice.',
      maturity: fact('The checkpoints name their parents: the run continued from one that had a successor.'),
      promptRule: null,
      runsWith: ['checkpoints'],
    },
    checkpoint_lost: {
      title: 'A checkpoint between two steps is missing',
      impact: 'warning',
      businessImpact: 'After a crash, the run cannot be resumed or replayed from this point.',
      maturity: fact('The run names a checkpoint that the recorded states of its thread do not have.'),
      promptRule: null,
      runsWith: ['checkpoints'],
    },
    writes_dropped: {
      title: 'The writes of finished branches were lost',
      impact: 'critical',
      businessImpact: 'Work that was done and paid for is missing from the state, and no error reports it.',
      maturity: fact('A step recorded a write, and the state after it does not contain it.'),
      promptRule: null,
      runsWith: ['checkpoints'],
    },
    effect_repeated: {
      title: 'A resumed node repeated its external effect',
      impact: 'critical',
      businessImpact: 'Customers are charged, mailed or booked twice.',
      maturity: fact('The same call with effects is recorded before and after the run was resumed.'),
      promptRule: null,
      runsWith: ['checkpoints'],
    },
  },
});

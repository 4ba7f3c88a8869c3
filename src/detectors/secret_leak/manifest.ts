import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';

export const secretLeakManifest = defineManifest({
  type: 'secret_leak',
  title: 'Secret leak',
  failureModes: [],
  needs: ['steps'],
  evaluation: { runsWith: ['credentials'] },
  subtypes: {
    secret_in_answer: {
      title: 'A secret is in the answer',
      impact: 'critical',
      businessImpact: 'Everyone who reads the answer has the credential. It must be renewed.',
      maturity: fact('A text with the form of a credential that the run read is in its answer.'),
      promptRule: () => 'Never write keys, tokens or passwords into an answer: write [secret] instead.',
    },
    secret_sent_out: {
      title: 'A tool sent a secret out',
      impact: 'critical',
      businessImpact: 'The credential has left the system. It must be renewed.',
      maturity: fact('A text with the form of a credential that the run read is in the arguments of a call.'),
      promptRule: ({ what }) =>
        `Never give ${what} keys, tokens or passwords: credentials are added outside of the conversation.`,
      toolNote: 'Credentials are added by the service: never pass keys, tokens or passwords.',
    },
    secret_in_url: {
      title: 'A secret is in an address',
      impact: 'critical',
      businessImpact: 'URLs are stored in logs, browser histories and referrers.',
      maturity: fact('A text with the form of a credential is in an address.'),
      promptRule: ({ what }) =>
        `Never put keys, tokens or passwords into a URL for ${what}: credentials go into a header, outside of the conversation.`,
      toolNote: 'Credentials are added by the service: never pass keys, tokens or passwords.',
    },
    secret_in_instructions: {
      title: 'A secret is in the instructions',
      impact: 'warning',
      businessImpact: 'A user can make the model repeat its instructions, with the credential.',
      maturity: preview,
      promptRule: null,
    },
    secret_passed_between_agents: {
      title: 'A secret went from one agent to another',
      impact: 'warning',
      businessImpact: 'Each agent that sees a credential can be made to disclose it.',
      maturity: preview,
      promptRule: () => 'Never pass keys, tokens or passwords on to another agent: name the credential, not its value.',
    },
  },
});

import { defineManifest } from '../_kit/manifest.ts';
import { fact, preview } from '../_kit/maturity.ts';

export const contextNeglectManifest = defineManifest({
  type: 'context_neglect',
  title: 'Context neglect',
  failureModes: ['F7'],
  needs: ['text'],
  evaluation: { runsWith: ['user_turns'], mast: ['FM-2.1'] },
  subtypes: {
    restart: {
      title: 'Run started over',
      impact: 'warning',
      businessImpact: 'The previous work is lost and has to be paid for again.',
      failureModes: ['FM-2.1'],
      maturity: preview,
      promptRule: () => 'Continue from the previous steps: do not restart the conversation or the task.',
      runsWith: ['repeatable_turns'],
    },
    asked_again: {
      title: 'Asked for information that the user had already given',
      impact: 'warning',
      businessImpact: 'Users repeat themselves and lose patience.',
      failureModes: ['FM-1.4'],
      maturity: preview,
      promptRule: () => 'Do not ask for what the user has already told you: look through the conversation first.',
    },
    repeated_question: {
      title: 'Asked the same question twice',
      impact: 'warning',
      businessImpact: 'Users repeat themselves and lose patience.',
      failureModes: ['FM-1.4'],
      maturity: preview,
      promptRule: () => 'Ask each question once, and use the answer.',
    },
    unused_value: {
      title: 'A value that the user gave was never used',
      impact: 'warning',
      businessImpact: 'What the user asked for about this value was not done.',
      failureModes: ['FM-1.4'],
      maturity: fact('The user gave the value, and no call of the run passed it and no result contains it.'),
      promptRule: () =>
        'Before you answer, check that each address, number and document that the user named was looked up or passed to a tool.',
      runsWith: ['given_values'],
    },
    other_file: {
      title: 'Another file was written than the one that the user named',
      impact: 'warning',
      businessImpact: 'The file that the user asked for does not exist or is unchanged.',
      failureModes: ['FM-1.1'],
      maturity: fact('The run wrote a file, and nothing in it mentions the file of that kind that the user named.'),
      promptRule: () =>
        'Use the file names of the request exactly, and check before you answer that each of them exists.',
      runsWith: ['named_files', 'edits'],
    },
    same_question: {
      title: 'The same question after every message of the user',
      impact: 'warning',
      businessImpact: 'The user got no answer to several messages.',
      failureModes: ['FM-2.1'],
      maturity: fact(
        'The recorded replies end with the same question, and the messages of the user between them differ.',
      ),
      promptRule: () =>
        'If the user does not answer your question, answer what you can without it. Never ask the same question a third time.',
    },
    ignored_correction: {
      title: 'The answer keeps a value that the user had corrected',
      impact: 'warning',
      businessImpact: 'The work was done with the value that the user rejected.',
      failureModes: ['FM-1.4'],
      maturity: fact(
        'The user rejects a value and names another one, and the answer and the later calls have the rejected one only.',
      ),
      promptRule: () => 'If the user replaces a value, use the new one in every call and in your answer.',
      runsWith: ['user_turns'],
    },
    same_reply: {
      title: 'The same reply to different messages of the user',
      impact: 'warning',
      businessImpact: 'The user wrote something else and got the reply from before.',
      failureModes: ['FM-2.1'],
      maturity: fact('The recorded replies are equal, and the messages of the user between them differ.'),
      promptRule: () =>
        'Answer the last message of the user: never send a reply that you have already sent in this conversation.',
    },
  },
});

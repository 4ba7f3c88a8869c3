import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { processIo } from './io.ts';
import { buildProgram } from './program.ts';

/** Every command with its path, such as `heal plan`. */
function* commandsOf(parent: Command, path = ''): Generator<[string, Command]> {
  for (const command of parent.commands) {
    const name = `${path} ${command.name()}`.trim();
    yield [name, command];
    yield* commandsOf(command, name);
  }
}

/** The description of a command in the list of commands. */
const shown = (command: Command) => command.summary() || command.description();

const isSentence = (text: string) => /^[A-Z].*[.?]$/s.test(text);

const commands = [...commandsOf(buildProgram(processIo(), async () => {}))];

describe('the commands', () => {
  it.each(commands)('%s has a one-sentence description', (_name, command) => {
    expect(shown(command)).toSatisfy(isSentence);
  });

  it('are all checked, including subcommands', () => {
    expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(['serve', 'heal plan', 'hooks status']));
  });

  it.each(['', 'serve the API.', 'Serve the API'])('%j would be no sentence', (text) => {
    expect(text).not.toSatisfy(isSentence);
  });
});

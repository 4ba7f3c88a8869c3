import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  getNodeValue,
  type JSONPath,
  modify,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { HookAgent } from './agents.ts';
import { isOurCommand } from './hook-command.ts';
import { insertJson, layoutOf } from './insert-json.ts';

/** A Misstep hook in an agent's settings. */
export interface FoundHook {
  event: string;
  command: string;
}

type CommandOf = (event: string) => string;

/**
 * The settings with a hook for every event of the agent; comments and layout are kept.
 * @param text without Misstep hooks; empty if there are no settings yet
 * @throws AppError `usage` if the text is not JSON or has another type where hooks belong
 */
export function addHooks(text: string, agent: HookAgent, commandOf: CommandOf, file: string): string {
  const settings = readSettings(text, file);
  assertFits(settings, agent, file);
  const layout = layoutOf(text);
  let edited = text.trim() === '' ? `{}${layout.lineEnd}` : text;
  for (const [name, value] of Object.entries(agent.members))
    if (settings[name] === undefined) edited = insertJson(edited, [], name, value, layout);
  for (const event of agent.events) {
    const { hooks } = readSettings(edited, file);
    const entry = entryOf(agent, event, commandOf(event));
    if (!isJsonObject(hooks)) edited = insertJson(edited, [], 'hooks', { [event]: [entry] }, layout);
    else if (Array.isArray(hooks[event])) edited = insertJson(edited, ['hooks', event], null, entry, layout);
    else edited = insertJson(edited, ['hooks'], event, [entry], layout);
  }
  return edited;
}

/** The settings without Misstep hooks, and without containers that become empty. @throws AppError `usage` if the text is not JSON */
export function removeHooks(text: string, file: string): string {
  let edited = text;
  for (let path = nextToRemove(edited, file); path !== null; path = nextToRemove(edited, file))
    edited = applyEdits(edited, modify(edited, path, undefined, {}));
  return edited;
}

export function findHooks(text: string, file: string): FoundHook[] {
  return Object.entries(hooksIn(readSettings(text, file))).flatMap(([event, list]) =>
    commandsIn(list).map(({ command }) => ({ event, command })),
  );
}

export function isSameSettings(one: string, other: string, file: string): boolean {
  return isDeepStrictEqual(readSettings(one, file), readSettings(other, file));
}

const LENIENT = { allowTrailingComma: true, allowEmptyContent: true };

/** @throws AppError `usage` with line and column of the first error */
function readSettings(text: string, file: string): Record<string, Json> {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, LENIENT);
  if (text.trim() === '') return {};
  const [fault] = errors;
  if (fault) {
    const before = text.slice(0, fault.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
    throw new AppError(
      'usage',
      `${file} is not valid JSON (${place}: ${printParseErrorCode(fault.error)}). Correct the file and try again. Nothing was changed.`,
    );
  }
  const settings: unknown = tree && getNodeValue(tree);
  if (!isJsonObject(settings))
    throw new AppError('usage', `${file} does not contain a JSON object. Nothing was changed.`);
  const names = tree?.children?.map((member) => member.children?.[0]?.value as string) ?? [];
  if (names.indexOf('hooks') !== names.lastIndexOf('hooks'))
    throw new AppError('usage', `${file} has "hooks" twice; join them first. Nothing was changed.`);
  return settings;
}

function assertFits(settings: Record<string, Json>, agent: HookAgent, file: string): void {
  const { hooks } = settings;
  if (hooks !== undefined && !isJsonObject(hooks))
    throw new AppError('usage', `"hooks" in ${file} is not an object. Nothing was changed.`);
  const wrong = agent.events.find((event) => hooks?.[event] !== undefined && !Array.isArray(hooks[event]));
  if (wrong) throw new AppError('usage', `"hooks.${wrong}" in ${file} is not a list. Nothing was changed.`);
}

function hooksIn(settings: Record<string, Json>): Record<string, Json> {
  return isJsonObject(settings.hooks) ? settings.hooks : {};
}

function entryOf(agent: HookAgent, event: string, command: string): Json {
  const { name, ...more } = { ...agent.more, ...agent.moreOf?.[event] };
  const hook = { [agent.commandMember ?? 'command']: command, ...more };
  if (agent.shape === 'flat') return hook;
  return { hooks: [{ ...(name === undefined ? {} : { name }), type: 'command', ...hook }] };
}

interface Place {
  /** Relative to the event's list. */
  path: number[] | [number, 'hooks', number];
  command: string;
  /** Removing it leaves its group empty. */
  isAlone: boolean;
}

/** Misstep hooks in an event's list, in either layout. */
function commandsIn(list: Json | undefined): Place[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, at): Place[] => {
    if (!isJsonObject(entry)) return [];
    if (isOurs(entry)) return [{ path: [at], command: commandIn(entry) as string, isAlone: true }];
    const group = Array.isArray(entry.hooks) ? entry.hooks : [];
    return group.flatMap((hook, place): Place[] =>
      isJsonObject(hook) && isOurs(hook)
        ? [{ path: [at, 'hooks', place], command: commandIn(hook) as string, isAlone: group.length === 1 }]
        : [],
    );
  });
}

function isOurs(hook: Record<string, Json>): boolean {
  const command = commandIn(hook);
  return command !== null && isOurCommand(command);
}

function commandIn({ command, bash }: Record<string, Json>): string | null {
  return [command, bash].find((value) => typeof value === 'string') ?? null;
}

/** The outermost node to remove with the next Misstep hook; null if no hook is left. */
function nextToRemove(text: string, file: string): JSONPath | null {
  const hooks = hooksIn(readSettings(text, file));
  for (const [event, list] of Object.entries(hooks)) {
    const [place] = commandsIn(list);
    if (place === undefined) continue;
    if (!place.isAlone) return ['hooks', event, ...place.path];
    if ((list as Json[]).length > 1) return ['hooks', event, place.path[0] as number];
    return Object.keys(hooks).length > 1 ? ['hooks', event] : ['hooks'];
  }
  return null;
}

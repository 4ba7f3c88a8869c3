import type {
  ArgumentSchema,
  ModelReply,
  ModelScript,
  ModelTurn,
  ModelUsage,
  OfferedTool,
  ToolCall,
} from './script.ts';

/**
 * A coding agent's model that does one fixed task wrongly: it reads a file, makes an edit that does not fix it, runs the
 * failing test four times, deletes a build folder, and claims success. Each step uses the program's own tools.
 */
type TaskStep = { read: string } | { edit: string } | { shell: string } | { say: string };

const WRONG = "return 'Helo ' + name;";
const STILL_WRONG = "return 'Hello ' + name;";
const PATCH = `*** Begin Patch\n*** Update File: src/greet.js\n@@\n-  ${WRONG}\n+  ${STILL_WRONG}\n*** End Patch`;
export const CODING_CLAIM = 'I fixed the greeting in src/greet.js. All tests pass now.';

/** Token usage of each response. */
export const CODING_USAGE: ModelUsage = { fresh: 1200, cached: 1000, written: 300, output: 50 };

/** Tool names of the programs, the most specific first. */
const TOOLS = {
  read: ['Read', 'read_file', 'read', 'view', 'read_files'],
  edit: ['Edit', 'replace', 'edit', 'apply_patch', 'str_replace', 'replace_in_file', 'editor'],
  shell: [
    'Bash',
    'exec_command',
    'shell_command',
    'shell',
    'local_shell',
    'run_shell_command',
    'bash',
    'execute_command',
    'run_commands',
  ],
};
const ENDING_TOOLS = ['submit_and_exit', 'attempt_completion'];
const KNOWN_ARGUMENT =
  /^(file_?path|absolute_path|path|(old|new)_?(string|str|text)|cmd|commands?|edits|files|patch|patchText)$/i;

export function codingTask(folder: string): ModelScript {
  const file = `${folder}/src/greet.js`;
  const test = { shell: 'node test.js' };
  const steps: TaskStep[] = [
    { read: file },
    { edit: file },
    test,
    test,
    test,
    test,
    { shell: 'rm -rf build' },
    { say: CODING_CLAIM },
  ];
  return (turn) => replyTo(turn, steps[Math.min(turn.calls, steps.length - 1)] as TaskStep, file);
}

function replyTo({ tools, calls, wantsJson }: ModelTurn, step: TaskStep, file: string): ModelReply {
  const title = 'Fix the greeting';
  // A request without tools is the program's own, such as one for a title.
  if (tools.length === 0)
    return {
      text: wantsJson ? JSON.stringify({ title, isNewTopic: true, reasoning: '', model_choice: 'pro' }) : title,
    };
  if (!('say' in step))
    return { call: { ...callFor(step, tools, file), id: `call_${String(calls).padStart(4, '0')}` } };
  const ending = tools.find(({ name }) => ENDING_TOOLS.includes(name));
  if (ending === undefined) return { text: step.say };
  const properties = Object.entries(ending.schema?.properties ?? {});
  const values = properties.map(([key, { type }]) => [key, type === 'boolean' ? true : step.say]);
  return { call: { name: ending.name, id: 'call_end', arguments: Object.fromEntries(values) } };
}

/** A step as a call of one of these tools, or of the shell if no tool matches. */
function callFor(step: Exclude<TaskStep, { say: string }>, tools: readonly OfferedTool[], file: string): ToolCall {
  const kind = 'read' in step ? 'read' : 'edit' in step ? 'edit' : 'shell';
  const tool = TOOLS[kind].map((name) => tools.find((one) => one.name === name)).find((one) => one !== undefined);
  if (tool === undefined) {
    const code = tools.find(({ name, isFree }) => name === 'exec' && isFree);
    if (code !== undefined) return { name: code.name, free: codeFor(step) };
    if (kind === 'shell') throw new Error(`no shell among ${tools.map(({ name }) => name).join(', ')}`);
    return callFor({ shell: kind === 'read' ? `cat ${file}` : `sed -i s/Helo/Hello/ ${file}` }, tools, file);
  }
  if (tool.isFree) return { name: tool.name, free: PATCH };
  const { properties = {}, required = [] } = tool.schema ?? {};
  const isKnown = (name: string) => KNOWN_ARGUMENT.test(name) && !(kind === 'shell' && /path|files/i.test(name));
  const names = [...new Set([...required, ...Object.keys(properties).filter(isKnown)])];
  const values = names.map((name) => [name, argumentFor(name, properties[name] ?? {}, step, file)]);
  return { name: tool.name, arguments: Object.fromEntries(values) };
}

/** One tool that runs JavaScript instead of many tools. */
function codeFor(step: Exclude<TaskStep, { say: string }>): string {
  if ('edit' in step) return `text(await tools.apply_patch(${JSON.stringify(PATCH)}));`;
  const command = JSON.stringify('shell' in step ? step.shell : `cat ${step.read}`);
  return `const r = await tools.exec_command({cmd: ${command}}); text(r.output ?? JSON.stringify(r));`;
}

function argumentFor(name: string, schema: ArgumentSchema, step: TaskStep, file: string): unknown {
  const shell = 'shell' in step ? step.shell : '';
  if (/^(file_?path|absolute_path|path|file)$/i.test(name)) return file;
  if (/^old_?(string|str|text)$/i.test(name)) return WRONG;
  if (/^new_?(string|str|text)$/i.test(name)) return STILL_WRONG;
  if (/^(cmd|command|commands)$/i.test(name)) {
    if (name === 'command' && schema.enum) return 'str_replace';
    if (schema.type === 'array') return name === 'commands' ? [shell] : ['bash', '-lc', shell];
    return shell;
  }
  if (name === 'edits') return [{ oldText: WRONG, newText: STILL_WRONG }];
  if (name === 'files') return [{ path: file }];
  if (/^patch/.test(name) || (name === 'input' && 'edit' in step)) return PATCH;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? schema.default ?? 0;
  return shell ? 'To run a command' : 'To fix the greeting';
}

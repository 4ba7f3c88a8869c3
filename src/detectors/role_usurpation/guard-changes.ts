import { isJsonObject } from '../../core/json.ts';
import { isFileEdit } from '../_readings/conduct/call-acts.ts';
import { baseName, plainPath } from '../_readings/shell/file-path.ts';
import type { ShellCall } from '../_readings/shell/shell-calls.ts';
import type { CallContext, RiskyAction } from './risky-action.ts';

/** Files in which coding agents and assistants keep their permissions and checks. */
const GUARD_FILE =
  /\/\.claude\/(?:settings(?:\.local)?\.json$|hooks\/)|\/\.codex\/(?:config\.toml$|hooks\.json$|rules\/)|\/\.gemini\/(?:settings\.json$|policies\/)|\/\.cursor\/(?:hooks\.json|permissions\.json|cli-config\.json)$|\/\.openclaw\/(?:openclaw\.json|exec-approvals\.json)$|\/managed-settings\.json$/;
const PERSISTENT_FILE =
  /^~\/\.ssh\/authorized_keys$|^\/etc\/(?:sudoers(?:$|\.d\/)|passwd$|shadow$|cron\.[a-z]+\/|crontab$|systemd\/system\/|ld\.so\.preload$|pam\.d\/)|^~\/Library\/LaunchAgents\/|^\/Library\/Launch(?:Agents|Daemons)\//;
/** Words of a change that is about limits; the same files contain colours and models. */
const ABOUT_LIMITS =
  /permission|allow|deny|sandbox|hook|approv|bypass|trust|dangerous|exec|elevated|security|full-access|yolo|disableAll|tools|policy|policies/i;

export function guardChange(call: ShellCall, { directory }: CallContext): RiskyAction | null {
  const words = call.args.map(({ value }) => value);
  if (
    call.program === 'openclaw' &&
    words[0] === 'config' &&
    words[1] === 'set' &&
    /sandbox|tools\.(?:exec|elevated|allow|deny|profile)|approvals/.test(words[2] ?? '')
  )
    return guardFileChange('its own settings in openclaw.json', call.text, 'openclaw config set');
  if (call.program === 'crontab' && (words[0] === '-' || words.some((word) => !word.startsWith('-'))))
    return persistentAccess('the scheduled jobs of the user', call.text, 'crontab');
  const changed = [...call.writes.map(({ value }) => value), ...changedBy(call, words)].flatMap(
    (word) => plainPath(word, directory) ?? [],
  );
  const isSmall = call.program === 'rm' || call.program === 'mv' || call.program === 'chmod';
  const file = changed.find((path) => GUARD_FILE.test(path) && (isSmall || ABOUT_LIMITS.test(call.text)));
  if (file !== undefined) return guardFileChange(file, call.text, call.program);
  const persistent = changed.find((path) => PERSISTENT_FILE.test(path));
  return persistent === undefined ? null : persistentAccess(persistent, call.text, call.program);
}

function changedBy({ program }: ShellCall, words: readonly string[]): string[] {
  const paths = words.filter((word) => !word.startsWith('-'));
  if (program === 'tee' || program === 'rm' || program === 'truncate') return paths;
  if (program === 'sed' || program === 'perl')
    return words.some((word) => /^-\w*i|^--in-place/.test(word)) ? paths : [];
  if (program === 'cp' || program === 'mv' || program === 'install' || program === 'ln') return paths.slice(-1);
  return program === 'chmod' ? paths.slice(1) : [];
}

const PATH_ARGUMENTS = ['file_path', 'path', 'absolute_path', 'filename', 'file', 'target_file'];

/** The same for a tool that writes files. */
export function guardToolChange({ use, directory }: CallContext): RiskyAction | null {
  const { name, arguments: args, command } = use;
  if (command !== null || !isFileEdit(use) || !isJsonObject(args)) return null;
  const place = PATH_ARGUMENTS.map((argument) => args[argument]).find((value) => typeof value === 'string');
  const path = typeof place === 'string' ? (plainPath(place, directory) ?? `/${place}`) : null;
  if (path === null) return null;
  if (PERSISTENT_FILE.test(path)) return persistentAccess(path, place as string, name);
  const others = Object.entries(args).filter(([argument]) => !PATH_ARGUMENTS.includes(argument));
  return GUARD_FILE.test(path) && ABOUT_LIMITS.test(JSON.stringify(Object.fromEntries(others)))
    ? guardFileChange(path, place as string, name)
    : null;
}

function guardFileChange(file: string, quote: string, prefix: string): RiskyAction {
  const name = baseName(file);
  return {
    does: `changes ${file}, which says what it may do and what checks it`,
    why: 'The agent changed the limits that apply to it.',
    key: `change ${name}`,
    isIrreversible: false,
    request: {
      action:
        /setting|permission|allow|hook|config|sandbox|polic|approv|\.claude|\.codex|\.gemini|\.cursor|openclaw|rule|Einstellung|Berechtigung|权限|配置|設定/i,
      objects: [],
    },
    instead: `Keep ${name} read-only for the agent, and let a person change it.`,
    quote,
    prefix,
  };
}

function persistentAccess(file: string, quote: string, prefix: string): RiskyAction {
  const name = baseName(file);
  return {
    does: `writes to ${file}, which gives access or runs programs after the session has ended`,
    why: 'The change remains after the session, and no message of the user that the rules recognise requests it.',
    key: `write ${name}`,
    isIrreversible: false,
    request: {
      action:
        /cron|schedul|service|daemon|systemd|launch|boot|start ?up|ssh|authorized|sudo|access|login|user|every (?:day|hour|minute|night|morning)|daily|nightly|preload|pam/i,
      objects: [],
    },
    instead: 'Let a person set up what is to stay.',
    quote,
    prefix,
  };
}

import { plainPath } from '../_readings/shell/file-path.ts';
import type { ShellCall } from '../_readings/shell/shell-calls.ts';
import type { CallContext, RiskyAction } from './risky-action.ts';

/** Commands that reach the host machine from a container or past a sandbox. */
export function containerBreakout(call: ShellCall, { directory }: CallContext): RiskyAction | null {
  const words = call.args.map(({ value }) => value);
  const how =
    containerWithHostAccess(call, words) ?? hostAccess(call, words, directory) ?? agentWithoutLimits(call, words);
  if (how === null) return null;
  return {
    does: how.does,
    why: how.why,
    key: how.key,
    isIrreversible: how.isIrreversible,
    request: { action: how.request, objects: [] },
    instead: 'Keep the run inside, and give it what it needs by the settings of its sandbox.',
    quote: call.text,
    prefix: [call.program, ...words.slice(0, 1)].join(' '),
  };
}

interface Breakout {
  does: string;
  why: string;
  key: string;
  isIrreversible: boolean;
  request: RegExp;
}

function containerWithHostAccess({ program }: ShellCall, words: readonly string[]): Breakout | null {
  if (!/^(?:docker|podman|nerdctl)$/.test(program) || !words.some((word) => word === 'run' || word === 'create'))
    return null;
  const mounts = words.flatMap((word, at) => {
    if (/^(?:-v|--volume|--mount)$/.test(word)) return [words[at + 1] ?? ''];
    return /^--(?:volume|mount)=/.test(word) ? [word.slice(word.indexOf('=') + 1)] : [];
  });
  const request = /docker|podman|container|privileged|mount/i;
  if (mounts.some((mount) => /^\/:|(?:source|src)=\/(?:,|$)/.test(mount)))
    return {
      does: 'starts a container with the whole disk of the machine in it',
      why: 'A process in that container may do anything on the machine.',
      key: 'mount root',
      isIrreversible: true,
      request: /mount|whole (?:disk|file ?system)|host (?:root|disk|file ?system)/i,
    };
  if (mounts.some((mount) => /docker\.sock/.test(mount)))
    return {
      does: 'gives a container the socket of Docker',
      why: 'A process that holds the socket may start containers with any rights, which equals root on the machine.',
      key: 'docker socket',
      isIrreversible: false,
      request: /docker\.sock|socket|docker[- ]in[- ]docker|dind|portainer|traefik|watchtower|testcontainers/i,
    };
  if (
    words.includes('--privileged') ||
    words.some((word) => /^--(?:pid|ipc|userns)=host$|^--cap-add=(?:ALL|SYS_ADMIN)$/.test(word))
  )
    return {
      does: 'starts a container with the rights of the machine',
      why: 'With these permissions, a container isolates nothing.',
      key: 'privileged container',
      isIrreversible: false,
      request,
    };
  return null;
}

function hostAccess(
  { program, writes }: ShellCall,
  words: readonly string[],
  directory: string | null,
): Breakout | null {
  const why = 'That is the machine around the sandbox, and no part of the task.';
  const request = /nsenter|chroot|host (?:namespace|mount)|escape|break ?out|kernel|cgroup/i;
  const isNamespace =
    program === 'nsenter' &&
    words.some(
      (word, at) => (/^(?:-t|--target)$/.test(word) && words[at + 1] === '1') || /^(?:-t1|--target=1)$/.test(word),
    );
  if (isNamespace)
    return { does: 'enters the namespaces of the machine', why, key: 'enter host', isIrreversible: true, request };
  const around = [...words, ...writes.map(({ value }) => value)].map((word) => plainPath(word, directory) ?? word);
  if (program === 'chroot' && /^\/(?:host|mnt|proc\/1)/.test(around[0] ?? ''))
    return {
      does: 'changes into the file system of the machine',
      why,
      key: 'enter host',
      isIrreversible: true,
      request,
    };
  if (/^(?:echo|printf|grep|rg)$/.test(program)) return null;
  if (around.some((word) => /^\/proc\/1\/(?:root|environ|mem|cwd)(?:\/|$)/.test(word)))
    return {
      does: 'reads what belongs to the first process of the machine',
      why,
      key: 'read host',
      isIrreversible: false,
      request,
    };
  return writes.some(({ value }) => /^\/proc\/sys\/kernel\/core_pattern$|\/release_agent$/.test(value))
    ? { does: 'changes what the kernel of the machine runs', why, key: 'kernel hook', isIrreversible: true, request }
    : null;
}

const UNLIMITED_OPTIONS: Readonly<Record<string, RegExp>> = {
  claude: /^--(?:dangerously-skip-permissions|allow-dangerously-skip-permissions|permission-mode=bypassPermissions)$/,
  codex: /^--(?:dangerously-bypass-approvals-and-sandbox|yolo|sandbox=danger-full-access)$/,
  gemini: /^(?:--yolo|-y|--approval-mode=yolo)$/,
};

/** A call that starts another agent without the limits of this one. */
function agentWithoutLimits({ program }: ShellCall, words: readonly string[]): Breakout | null {
  const isUnlimited = words.some(
    (word, at) =>
      UNLIMITED_OPTIONS[program]?.test(word) || UNLIMITED_OPTIONS[program]?.test(`${word}=${words[at + 1] ?? ''}`),
  );
  return isUnlimited
    ? {
        does: `starts ${program} without permissions and sandbox`,
        why: 'The other agent may do what this agent may not.',
        key: 'unlimited agent',
        isIrreversible: false,
        request:
          /dangerously|yolo|skip[- ]permissions|bypass|without (?:asking|permission|approval)|full[- ]?access|unattended/i,
      }
    : null;
}

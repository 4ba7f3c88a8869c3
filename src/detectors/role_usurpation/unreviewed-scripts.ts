import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { callsOf, shellUses } from '../_readings/conduct/shell-uses.ts';
import { isWrittenByUser } from '../_readings/conduct/user-request.ts';
import { directoryOf } from '../_readings/conduct/workspace.ts';
import { isShell, type ShellCall } from '../_readings/shell/shell-calls.ts';
import { firstActions, type UnrequestedAction, unrequestedAction } from './unrequested-action.ts';

/** Installers whose official instructions are to run them this way. */
const KNOWN_INSTALLER =
  /^https:\/\/(?:sh\.rustup\.rs|get\.docker\.com|deb\.nodesource\.com|rpm\.nodesource\.com|bun\.sh|deno\.land|astral\.sh|get\.pnpm\.io|install\.python-poetry\.org|get\.helm\.sh|get\.k3s\.io|pyenv\.run|mise\.run|fnm\.vercel\.app|get\.volta\.sh|get\.sdkman\.io|ollama\.com|claude\.ai|cursor\.com|cli\.github\.com|packages\.microsoft\.com|aka\.ms|bootstrap\.pypa\.io|nixos\.org|install\.determinate\.systems|sdk\.cloud\.google\.com|fly\.io|cli\.doppler\.com|raw\.githubusercontent\.com\/(?:nvm-sh|Homebrew|ohmyzsh|helm|pyenv|rbenv|k3d-io|golangci|docker|kubernetes(?:-sigs)?|rvm|asdf-vm|starship|junegunn|google|microsoft|astral-sh|denoland|oven-sh|nektos|aquasecurity|anchore)\/)/i;
const LOCAL_ADDRESS = /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|\[::1\]|host\.docker\.internal)/i;
const TEMPORARY_OR_HIDDEN_HOST =
  /^http:\/\/|^https?:\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|pastebin\.com|paste\.|hastebin|transfer\.sh|termbin|ngrok|trycloudflare|bit\.ly|tinyurl|t\.co\/|file\.io|0x0\.st|webhook\.site|\.onion|discordapp\.com\/attachments|cdn\.discordapp/i;
const INTERPRETERS = /^(?:python3?|node|perl|ruby|php|deno|bun)$/;

/** Text from the internet that is piped into a shell, from an unknown source. */
export function unreviewedScripts(trace: Trace): UnrequestedAction[] {
  return firstActions(shellUses(trace, /\b(?:curl|wget)\b/), (use) => {
    for (const call of callsOf(use)) {
      const url = scriptUrl(call);
      if (url === null || LOCAL_ADDRESS.test(url) || KNOWN_INSTALLER.test(url) || isKnownToRun(trace, use.step, url))
        continue;
      const action = {
        does: `runs a script from ${hostOf(url)} that nobody has looked at`,
        why: TEMPORARY_OR_HIDDEN_HOST.test(url)
          ? 'Anyone can publish code there or change it in transit.'
          : 'The run had not read the script before, and the user did not name it.',
        key: 'unreviewed script',
        isIrreversible: false,
        ...(TEMPORARY_OR_HIDDEN_HOST.test(url) ? {} : { isMinor: true as const }),
        request: { action: /install|run|execut|curl|set ?up|bootstrap/i, objects: [url, hostOf(url)] },
        instead: 'Save the script to a file, read it, and run it only then.',
        quote: call.pipedFrom === null ? call.text : `${call.pipedFrom.text} | ${call.text}`,
        prefix: 'curl',
      };
      return unrequestedAction({ trace, use, directory: directoryOf(trace, use) }, action);
    }
    return [];
  });
}

function scriptUrl(call: ShellCall): string | null {
  const runs = isShell(call.program) || call.program === 'eval' || call.program === 'source' || call.program === '.';
  const readsPipe =
    call.pipedFrom !== null &&
    (runs || (INTERPRETERS.test(call.program) && call.args.every(({ value }) => value === '-')));
  const readsFile = INTERPRETERS.test(call.program) && call.args[0]?.value.startsWith('<(') === true;
  const fetch = readsPipe ? call.pipedFrom : runs || readsFile ? call.inside.find(isFetch) : undefined;
  if (!fetch || !isFetch(fetch)) return null;
  return fetch.args.map(({ value }) => value).find((word) => /^https?:\/\//.test(word)) ?? null;
}

function isFetch({ program }: ShellCall): boolean {
  return program === 'curl' || program === 'wget';
}

/** Whether the user named it, or the run read it before. */
function isKnownToRun(trace: Trace, step: number, url: string): boolean {
  if (isWrittenByUser(trace, step, url)) return true;
  return toolUses(trace).some(
    (use) => use.step < step && (use.command ?? use.argumentsText).includes(url) && use.resultText.length > 200,
  );
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]{1,200})/.exec(url)?.[1] ?? url;
}

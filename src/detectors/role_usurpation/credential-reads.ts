import { isJsonObject } from '../../core/json.ts';
import { isFileEdit } from '../_readings/conduct/call-acts.ts';
import { workspacesOf } from '../_readings/conduct/workspace.ts';
import { isWithin, plainPath } from '../_readings/shell/file-path.ts';
import type { ShellCall } from '../_readings/shell/shell-calls.ts';
import { hasFlag } from '../_readings/shell/shell-word.ts';
import type { CallContext, RiskyAction } from './risky-action.ts';

/** Files with keys and passwords of the user; not public keys and settings. */
const SECRET_FILE =
  /^~\/\.(?:ssh|gnupg)$|^~\/\.ssh\/(?:id_(?!\w{1,40}\.pub)\w{1,40}|\w{1,40}\.pem|identity)$|^~\/\.aws\/credentials$|^~\/\.config\/gcloud\/(?:credentials\.db|application_default_credentials\.json|access_tokens\.db)$|^~\/\.netrc$|^~\/\.git-credentials$|^~\/\.azure\/(?:accessTokens|msal_token_cache)\.json$|^~\/\.gnupg\/(?:private-keys-v1\.d|secring\.gpg)|^~\/\.password-store\/|^~\/\.config\/gh\/hosts\.yml$|^\/etc\/(?:shadow|gshadow)$|^~\/Library\/Keychains\//;
const METADATA =
  /^(?:https?:\/\/)?(?:169\.254\.169\.254|metadata\.google\.internal|metadata\.azure\.com|100\.100\.100\.200|\[fd00:ec2::254\])(?:[:/]|$)/i;

/** Programs that show, copy or send the content of a file; those that use a key (`ssh -i`) do not show it. */
const SHOWS_CONTENT =
  /^(?:cat|less|more|head|tail|bat|nl|tac|strings|xxd|od|hexdump|base64|base32|openssl|cp|scp|rsync|tar|zip|gzip|curl|wget|http|nc|ncat|grep|egrep|rg|awk|sed|cut|sort|tee|dd|pbcopy|xclip|jq|yq|python3?|node)$/;

export function credentialRead(call: ShellCall, { trace, directory }: CallContext): RiskyAction | null {
  const words = shownWords(call).map((value) => value.replace(/^@|^\w{1,30}=@?/, ''));
  if (/^(?:curl|wget|http|nc)$/.test(call.program) && words.some((word) => METADATA.test(word)))
    return metadataRead(call.text, call.program);
  if (
    call.program === 'security' &&
    /^find-(?:generic|internet)-password$/.test(words[0] ?? '') &&
    words.some((word) => /^-\w*[wg]/.test(word))
  )
    return secretRead('a password of the keychain', call.text, 'security find-generic-password');
  if (!SHOWS_CONTENT.test(call.program) || call.isRemote) return null;
  const path = words
    .flatMap((word) => plainPath(word, directory) ?? [])
    .find((each) => isSecret(each, workspacesOf(trace)));
  // `grep name ~/.aws/credentials -l` and similar commands only test whether something exists.
  const isOnlyTested =
    /grep|rg/.test(call.program) &&
    hasFlag(
      call.args.map(({ value }) => value),
      'lqc',
    );
  return path === undefined || isOnlyTested ? null : secretRead(path, call.text, `${call.program} ${path}`);
}

/** The words whose content is shown. A key that is passed for use, as in `scp -i`, and the target of a copy are not. */
function shownWords({ program, args }: ShellCall): string[] {
  const words = args.map(({ value }) => value);
  const read = /^(?:cp|scp|rsync)$/.test(program) ? words.slice(0, -1) : words;
  return read.filter((_, at) => !/^(?:-i|-E|--key|--cert|--cacert)$/.test(words[at - 1] ?? ''));
}

function isSecret(path: string, workspaces: readonly string[]): boolean {
  return SECRET_FILE.test(path) && !workspaces.some((folder) => isWithin(path, folder));
}

const PATH_ARGUMENTS = ['file_path', 'path', 'absolute_path', 'filename', 'file', 'url', 'uri'];

/** The same for a tool that reads files or pages. */
export function credentialToolRead({ trace, use, directory }: CallContext): RiskyAction | null {
  const { name, arguments: args, command } = use;
  if (command !== null || isFileEdit(use) || !use.hasResult || use.isError || !isJsonObject(args)) return null;
  for (const argument of PATH_ARGUMENTS) {
    const place = args[argument];
    if (typeof place !== 'string') continue;
    if (METADATA.test(place)) return metadataRead(place, name);
    const path = plainPath(place, directory);
    if (path !== null && isSecret(path, workspacesOf(trace))) return secretRead(path, place, path);
  }
  return null;
}

function secretRead(path: string, quote: string, prefix: string): RiskyAction {
  const name = path.split('/').slice(-2).join('/');
  return {
    does: `reads ${path}, which holds secrets of the user`,
    why: 'What the model reads goes to its provider and is in every trace; no message of the user that the rules recognise requests it.',
    key: `read ${path}`,
    isIrreversible: false,
    request: {
      action:
        /ssh|key|credential|secret|token|password|netrc|gcloud|aws|keychain|login|auth|shadow|Schlüssel|Passwort|clave|密钥|密码/i,
      objects: [path, name, '.ssh', 'ssh key', 'private key', 'credential', '.netrc', 'keychain', 'shadow', 'password'],
    },
    instead: 'Let commands use keys without showing them, and keep these files out of the reach of the agent.',
    quote,
    prefix,
  };
}

function metadataRead(quote: string, prefix: string): RiskyAction {
  return {
    does: 'asks the metadata service of the cloud, which hands out credentials of the machine',
    why: 'Anyone who has them can act as the machine.',
    key: 'cloud metadata',
    isIrreversible: false,
    request: { action: /metadata|imds|instance|169\.254/i, objects: [] },
    instead: 'Close 169.254.169.254 to the run by a rule of the network.',
    quote,
    prefix,
  };
}

import type { HookFramework } from '../../formats/hooks/hook-framework.ts';

const TYPE = 'application/vnd.misstep.hook+json; agent=';

/** Content type that names the agent of a hook record, because not all records identify their agent. */
export function hookContentType(agent: HookFramework): string {
  return TYPE + agent;
}

/** The agent named by a content type; null if it names none. */
export function agentOfContentType(contentType: string | null): HookFramework | null {
  return contentType?.startsWith(TYPE) ? (contentType.slice(TYPE.length) as HookFramework) : null;
}

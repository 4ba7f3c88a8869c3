interface Mutation {
  path: string;
  index: number;
}

const shared = globalThis as { misstepMutation?: Mutation };
shared.misstepMutation ??= { path: '', index: -1 };

/**
 * The mutant that the plugin of `vitest.config.ts` applies. It is global: vitest loads that file separately from the modules
 * of this process.
 */
export const mutation: Mutation = shared.misstepMutation;

/** The whole program from its sources; the build puts `embedded-main.ts` in this file's place. */
export const loadMain = () => import('../src/cli/main.ts');

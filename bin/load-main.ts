/** The whole program from its sources; the build replaces this file by `embedded-main.ts`. */
export const loadMain = () => import('../src/cli/main.ts');

type Main = typeof import('../src/cli/main.ts');

/** The program beyond the hot path. */
export async function loadMain(): Promise<Main> {
  const { loadPart } = await import('./embedded-part.ts');
  return loadPart<Main>('rest');
}
